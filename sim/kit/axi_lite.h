/* SPDX-License-Identifier: Apache-2.0 */
/* An AXI4-Lite master for registers (pins <prefix>_awvalid ... <prefix>_rready): blocking reads and writes with random
 * bubbles on AW, W, AR and random stalls on B, R, while the rest of the bench goes on (they call bench.step).
 *
 * Checked on the slave: B and R follow the rules of streams, no response without a request, low in reset. A response that
 * does not come is the watchdog's business. */
#ifndef KIT_AXI_LITE_H
#define KIT_AXI_LITE_H

#include "kit/bench.h"
#include "kit/stream.h"

enum axi_lite_channel {
    AXI_LITE_WRITE_ADDRESS,
    AXI_LITE_WRITE_DATA,
    AXI_LITE_WRITE_RESPONSE,
    AXI_LITE_READ_ADDRESS,
    AXI_LITE_READ_DATA,
    AXI_LITE_CHANNELS
};
enum { AXI_LITE_NAME_BYTES = 32 };

struct axi_lite {
    struct bench *bench;
    struct source write_address, write_data, read_address;
    struct sink write_response, read_data;
    char names[AXI_LITE_CHANNELS][AXI_LITE_NAME_BYTES]; /* of the channels' pins: the master must not move */
    unsigned writes_pending, reads_pending; /* responses still to come */
    uint64_t started;                       /* cycle of the access under way */
    uint32_t data;                          /* of the last read */
    unsigned response;                      /* of the last access */
};

/* `prefix` as in "s_axil". */
void axi_lite_create(struct axi_lite *lite, struct bench *bench, const char *prefix, enum stall_kind stall);

/* Steps 1 and 3 of the cycle; the bench's step calls them. */
void axi_lite_drive(struct axi_lite *lite);
void axi_lite_sample(struct axi_lite *lite);

/* Starts an access without waiting; only when axi_lite_idle(). */
bool axi_lite_idle(const struct axi_lite *lite);
void axi_lite_start_write(struct axi_lite *lite, uint64_t address, uint32_t data, unsigned strobes);
void axi_lite_start_read(struct axi_lite *lite, uint64_t address);

/* The same, waiting for the response (runs the clock through bench.step). They return the response (0 OKAY, 2 SLVERR,
 * 3 DECERR). */
unsigned axi_lite_write(struct axi_lite *lite, uint64_t address, uint32_t data);
unsigned axi_lite_write_strobed(struct axi_lite *lite, uint64_t address, uint32_t data, unsigned strobes);
unsigned axi_lite_read(struct axi_lite *lite, uint64_t address, uint32_t *data);

/* A read that must be OKAY; anything else ends the run as a mismatch. Two of them, low word first, for 64 bits. */
uint32_t axi_lite_get(struct axi_lite *lite, uint64_t address);
uint64_t axi_lite_get64(struct axi_lite *lite, uint64_t address);
/* A write that must be OKAY. */
void axi_lite_set(struct axi_lite *lite, uint64_t address, uint32_t data);

#endif
