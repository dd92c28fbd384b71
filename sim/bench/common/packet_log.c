/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/packet_log.h"

#include "kit/allocate.h"
#include "kit/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void packet_log_create(struct packet_log *log, const char *name, unsigned ports)
{
    *log = (struct packet_log){.file = NULL};
    if (name == NULL)
        return;
    log->file = fopen(name, "w");
    if (log->file == NULL) {
        fprintf(stderr, "--packets %s: %s\n", name, strerror(errno));
        exit(BENCH_CONFIGURATION);
    }
    for (unsigned i = 0; i < PACKET_LOG_DIRECTIONS; i++)
        log->packets[i] = allocate(ports, sizeof *log->packets[i]);
}

bool packet_log_destroy(struct packet_log *log)
{
    if (log->file == NULL)
        return true;
    for (unsigned i = 0; i < PACKET_LOG_DIRECTIONS; i++)
        free(log->packets[i]);
    const bool written = ferror(log->file) == 0;
    return fclose(log->file) == 0 && written;
}

static void write_packet(struct packet_log *log, uint64_t cycle, unsigned port, enum packet_log_direction direction,
                         struct packet_log_packet *packet)
{
    fprintf(log->file, "{\"cycle\": %" PRIu64 ", \"port\": %u, \"direction\": \"%s\", \"class\": %u, \"bytes\": \"", cycle, port,
            direction == PACKET_LOG_IN ? "in" : "out", packet->packet_class);
    for (unsigned i = 0; i < packet->count; i++) {
        uint8_t bytes[MOEHUB_FLIT_BYTES];
        moehub_flit_to_bytes(packet->flits[i], bytes);
        for (unsigned j = 0; j < MOEHUB_FLIT_BYTES; j++)
            fprintf(log->file, "%02x", bytes[j]);
    }
    fputs("\"}\n", log->file);
    packet->count = 0;
}

void packet_log_flit(struct packet_log *log, uint64_t cycle, unsigned port, enum packet_log_direction direction,
                    const struct moehub_link_flit *flit)
{
    if (log->file == NULL)
        return;
    struct packet_log_packet *packet = &log->packets[direction][port];
    if (flit->first && packet->count > 0)
        write_packet(log, cycle, port, direction, packet);
    if (!flit->first && packet->count == 0)
        return;
    if (flit->first)
        packet->packet_class = flit->packet_class;
    if (packet->count < PACKET_LOG_FLITS)
        packet->flits[packet->count++] = flit->data;
    if (flit->last)
        write_packet(log, cycle, port, direction, packet);
}
