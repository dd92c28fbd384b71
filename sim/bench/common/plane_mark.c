/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/plane_mark.h"

/* Places of the fields, as the page has them. */
enum { TARGETS = 0, COPIES = 6, REFUSED = 12, TAG = 13, CONTEXT = 37, ROUND = 40, ELEMENT = 44, OUT_FP32 = 46, LENGTH = 47,
       PORTS = 56, DESTINATION = 1 };

static void put(uint64_t mark[MARK_WORDS], unsigned lsb, uint64_t value)
{
    mark[0] |= value << lsb;
    if (lsb > 0)
        mark[1] |= value >> (64 - lsb);
}

static void put_request(uint64_t mark[MARK_WORDS], const struct moehub_header *header,
                        const struct moehub_packet_verdict *verdict)
{
    put(mark, REFUSED, verdict->answered);
    put(mark, TAG, header->tag);
    put(mark, CONTEXT, header->context);
    put(mark, ROUND, header->round);
    put(mark, ELEMENT, header->element);
    put(mark, OUT_FP32, header->out_fp32);
    put(mark, LENGTH, header->length);
    put(mark, PORTS, verdict->ports);
}

void plane_mark(const struct moehub_check_config *config, unsigned packet_class, struct moehub_flit header_flit,
                const struct moehub_packet_verdict *verdict, uint64_t mark[MARK_WORDS])
{
    const struct moehub_header header = moehub_header_unpack(header_flit);
    mark[0] = mark[1] = 0;
    if (packet_class == MOEHUB_CLASS_RESPONSE) {
        unsigned bits = 1;
        while (config->ports > 1u << bits)
            bits++;
        put(mark, 0, header.type == MOEHUB_PACKET_PARTIAL);
        put(mark, DESTINATION, verdict->destination & ((1u << bits) - 1));
        return;
    }
    put(mark, TARGETS, verdict->answered ? 0 : header.target_count);
    put(mark, COPIES, verdict->copies);
    if (packet_class == MOEHUB_CLASS_REQUEST)
        put_request(mark, &header, verdict);
}

void plane_mark_mask_request(uint64_t mark[MARK_WORDS])
{
    if (!(mark[0] >> REFUSED & 1))
        return;
    mark[0] &= (UINT64_C(1) << PORTS) - (UINT64_C(1) << REFUSED);
    mark[1] = 0;
}
