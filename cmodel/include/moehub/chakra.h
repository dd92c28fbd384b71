/* SPDX-License-Identifier: Apache-2.0 */
/* A layer's dispatch and combine as a Chakra execution trace (mlcommons/chakra), one file for each GPU, as ASTRA-sim reads it:
 * `PREFIX.GPU.et`, messages of et_def.proto, each after its length as a varint; the first is the metadata.
 *
 * Plain unicast: a node for each flow, COMM_SEND_NODE at its source, COMM_RECV_NODE at its destination, both with comm_src,
 * comm_dst, comm_size (bytes) and comm_tag (0: dispatch, 1: combine). A GPU's sends begin with the next GPU's. Combine's sends
 * depend on all of the GPU's dispatch receives; between them a layer computes, for which there is no node. */
#ifndef MOEHUB_CHAKRA_H
#define MOEHUB_CHAKRA_H

#include "moehub/traffic_matrix.h"

/* Writes a GPU's file; whether that worked the caller asks the file. Matrices of one layer. */
void moehub_chakra_write(const struct moehub_traffic_matrix *dispatch, const struct moehub_traffic_matrix *combine, unsigned gpu,
                         FILE *file);

#endif
