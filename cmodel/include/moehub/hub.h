/* SPDX-License-Identifier: Apache-2.0 */
/* What goes into and comes out of the hub's address path: configuration, request, answer, command, result.
 * Field meanings and widths: rtl/doc/address_path.md, sections 1 and 2; with two stages: rtl/doc/hub/address_stages.md. */
#ifndef MOEHUB_HUB_H
#define MOEHUB_HUB_H

#include "moehub/defines.h"

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_CONTEXTS_MAX 8
#define MOEHUB_LOCAL_EXPERTS_MAX 1024
#define MOEHUB_GPUS_MAX 1024
#define MOEHUB_SETS_MAX 4096
#define MOEHUB_WAYS_MAX 8
#define MOEHUB_STAGES_MAX 2

enum moehub_replacement { MOEHUB_REPLACEMENT_PLRU = 0, MOEHUB_REPLACEMENT_FIFO = 1 };

/* The parameters of moehub_address_path, same names, same order (the order of the PARAMETER registers). */
struct moehub_address_path_config {
    uint32_t contexts;         /* 1..8 */
    uint32_t local_experts;    /* 1..1024 regions a context */
    uint32_t gpus;             /* 1..1024 */
    uint32_t row_index_width;  /* 1..32 */
    uint32_t slot_width;       /* 1..31; the epoch has the other 32 - slot_width bits of an entry */
    uint32_t offset_width;     /* 4..16 */
    uint32_t address_width;    /* 32..64 */
    uint32_t sets;             /* power of two, 1..4096 */
    uint32_t ways;             /* 1..8; a power of two with PLRU */
    uint32_t replacement;      /* enum moehub_replacement */
    uint32_t ports;            /* 1..64 */
    uint32_t pending;          /* 1..256: of the RTL alone (bounds the latch's candidates) */
    uint32_t waiting;          /* 2..4096: of the RTL alone (the same) */
    uint32_t tag_width;        /* 1..64 */
    uint32_t axi_data_width;   /* 32, 64, 128, 256, 512: of the RTL alone */
    uint32_t stages;           /* 1, 2; with 2 offset_width is 7 or more */
    uint32_t length_width;     /* 9..11 bits of a request's length */
};
#define MOEHUB_ADDRESS_PATH_PARAMETERS 17

/* The RTL's defaults. */
struct moehub_address_path_config moehub_address_path_config_default(void);

/* 0, or MOEHUB_E_ARGUMENT when a parameter is outside of its legal range. */
int moehub_address_path_config_check(const struct moehub_address_path_config *config);

struct moehub_hub_request {
    uint64_t tag;        /* tag_width bits, the rest is dropped */
    uint32_t row_index;
    uint16_t expert;     /* local expert */
    uint16_t offset;     /* bytes */
    uint16_t length;     /* bytes, length_width bits: the caller's duty */
    uint16_t source;     /* GPU, 10 bits */
    uint8_t operation;   /* MOEHUB_REQUEST_* */
    uint8_t context;     /* 3 bits */
    uint8_t port;        /* below ports: the caller's duty */
    bool first;          /* announces the row; ignored on a read */
};

struct moehub_hub_answer {
    uint64_t tag;
    uint64_t address;    /* 0 unless OK */
    uint32_t slot;       /* 0 unless OK */
    uint8_t status;      /* MOEHUB_STATUS_* */
    uint8_t port;
    bool allocated;      /* this request took a new slot */
};

struct moehub_hub_command {
    uint64_t data0;
    uint64_t data1;
    uint16_t index;
    uint8_t context;
    uint8_t operation;   /* MOEHUB_HUB_COMMAND_*, 4 bits */
};

struct moehub_hub_result {
    uint64_t data0;      /* of an accepted CONTEXT_GET or REGION_GET, else 0 */
    uint64_t data1;
    bool refused;
    bool in_flight;
};

#endif
