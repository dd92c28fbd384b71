/* SPDX-License-Identifier: Apache-2.0 */
/* Messages are built in a buffer, since each is led by its length. Field numbers are those of et_def.proto. */
#include "moehub/chakra.h"

#include <inttypes.h>
#include <string.h>

enum { NODE_ID = 1, NODE_NAME, NODE_TYPE, NODE_DATA_DEPS = 5, NODE_ATTR = 10 };
enum { ATTR_NAME = 1, ATTR_INT32 = 7, ATTR_INT64 = 9, ATTR_BOOL = 27 };
enum { METADATA_VERSION = 1 };
enum { COMM_SEND_NODE = 5, COMM_RECV_NODE = 6 };
enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };
enum { NAME_BYTES = 64, VARINT_BYTES = 10, BUFFER_BYTES = 512 + VARINT_BYTES * MOEHUB_LAYER_GPUS_MAX };

struct buffer {
    size_t length;
    uint8_t bytes[BUFFER_BYTES];
};

/* ---- protobuf's wire form ------------------------------------------------------- */

static void put_varint(struct buffer *buffer, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        buffer->bytes[buffer->length++] = (uint8_t)(value | 0x80);
    buffer->bytes[buffer->length++] = (uint8_t)value;
}

static void put_number(struct buffer *buffer, unsigned field, uint64_t value)
{
    put_varint(buffer, field << 3 | WIRE_VARINT);
    put_varint(buffer, value);
}

static void put_bytes(struct buffer *buffer, unsigned field, const void *bytes, size_t length)
{
    put_varint(buffer, field << 3 | WIRE_BYTES);
    put_varint(buffer, length);
    memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
}

static void put_text(struct buffer *buffer, unsigned field, const char *text)
{
    put_bytes(buffer, field, text, strlen(text));
}

/* An attribute has its value in the field of its type, also where that is 0. */
static void put_attribute(struct buffer *buffer, const char *name, unsigned type, uint64_t value)
{
    struct buffer attribute;
    attribute.length = 0;
    put_text(&attribute, ATTR_NAME, name);
    put_number(&attribute, type, value);
    put_bytes(buffer, NODE_ATTR, attribute.bytes, attribute.length);
}

static void write_message(const struct buffer *buffer, FILE *file)
{
    struct buffer length;
    length.length = 0;
    put_varint(&length, buffer->length);
    fwrite(length.bytes, 1, length.length, file);
    fwrite(buffer->bytes, 1, buffer->length, file);
}

/* ---- nodes ---------------------------------------------------------------------- */

/* What a GPU's trace has so far. */
struct trace {
    FILE *file;
    unsigned gpu;
    uint64_t id;        /* of the last node */
    uint64_t received;  /* dispatch receives are the nodes 1..received */
};

static void write_metadata(FILE *file)
{
    struct buffer buffer;
    buffer.length = 0;
    put_text(&buffer, METADATA_VERSION, "0.0.4");
    write_message(&buffer, file);
}

/* All dispatch receives, as one packed field. */
static void put_dependencies(struct buffer *buffer, uint64_t received)
{
    struct buffer ids;
    ids.length = 0;
    for (uint64_t id = 1; id <= received; id++)
        put_varint(&ids, id);
    if (received > 0)
        put_bytes(buffer, NODE_DATA_DEPS, ids.bytes, ids.length);
}

static void write_node(struct trace *trace, enum moehub_traffic_phase phase, unsigned source, unsigned destination,
                       uint64_t bytes)
{
    struct buffer buffer;
    char name[NAME_BYTES];
    const bool send = source == trace->gpu;
    snprintf(name, sizeof name, "%s %s %u", phase == MOEHUB_TRAFFIC_DISPATCH ? "dispatch" : "combine", send ? "to" : "from",
             send ? destination : source);
    buffer.length = 0;
    put_number(&buffer, NODE_ID, ++trace->id);
    put_text(&buffer, NODE_NAME, name);
    put_number(&buffer, NODE_TYPE, send ? COMM_SEND_NODE : COMM_RECV_NODE);
    if (send && phase == MOEHUB_TRAFFIC_COMBINE)
        put_dependencies(&buffer, trace->received);
    put_attribute(&buffer, "is_cpu_op", ATTR_BOOL, false);
    put_attribute(&buffer, "comm_src", ATTR_INT32, source);
    put_attribute(&buffer, "comm_dst", ATTR_INT32, destination);
    put_attribute(&buffer, "comm_size", ATTR_INT64, bytes);
    put_attribute(&buffer, "comm_tag", ATTR_INT32, phase);
    write_message(&buffer, trace->file);
}

/* The receives of a phase, then its sends: the next GPU first, so that not all begin with the same one. */
static void write_phase(struct trace *trace, const struct moehub_traffic_matrix *matrix, enum moehub_traffic_phase phase)
{
    const unsigned gpus = matrix->gpus;
    for (unsigned send = 0; send < 2; send++)
        for (unsigned step = 1; step < gpus; step++) {
            const unsigned other = (trace->gpu + step) % gpus;
            const unsigned source = send ? trace->gpu : other, destination = send ? other : trace->gpu;
            const uint64_t bytes = matrix->bytes[(size_t)source * gpus + destination];
            if (bytes == 0)
                continue;
            write_node(trace, phase, source, destination, bytes);
            trace->received += !send && phase == MOEHUB_TRAFFIC_DISPATCH;
        }
}

void moehub_chakra_write(const struct moehub_traffic_matrix *dispatch, const struct moehub_traffic_matrix *combine, unsigned gpu,
                         FILE *file)
{
    struct trace trace = {.file = file, .gpu = gpu};
    write_metadata(file);
    write_phase(&trace, dispatch, MOEHUB_TRAFFIC_DISPATCH);
    write_phase(&trace, combine, MOEHUB_TRAFFIC_COMBINE);
}
