/* SPDX-License-Identifier: Apache-2.0 */
/* Any flits as a packet: an accepted one has the flits that its header says, packs to itself, and at a switch its copies are
 * accepted by the hubs that they are for. The text is hexadecimal digits, others are skipped: class, receiver (0..7 a switch
 * port, 8..15 a hub), then 32 digits a flit, bit 127 first. */
#include "fuzz.h"
#include "moehub/packet_check.h"
#include "moehub/packet_copy.h"

#include <stdlib.h>
#include <string.h>

enum { FLITS_MAX = 24, DIGITS = 32, PORTS = 8 };

const char *const fuzz_seeds[] = {
    "02 030A0001234501003000ABCD40120042 00000000000006070602050000030001 0123456789 0 0 0",
    "0E 00070280091A2B023000ABCD40120052",
    "02 00820100000700303000000100108081 00000000000000000000000000000104",
    "12 03070001234504004000003040110003 00000000000000000000050000030001",
    "18 000301A0091A2B084000280940110013",
    "20 030100000000000200002D0940020004",
    "2A 03010000000000020000003540120005",
    "22 03000000100000050000000040100007",
    "25 03010001234500020000000040280008",
    "",
    NULL,
};

struct input {
    unsigned packet_class;
    unsigned receiver;
    unsigned digits;
    struct moehub_flit flits[FLITS_MAX];
};

static void take_digit(struct input *input, unsigned value)
{
    const unsigned digit = input->digits++;
    if (digit == 0)
        input->packet_class = value % 4;
    else if (digit == 1)
        input->receiver = value;
    else {
        const unsigned place = (DIGITS - 1 - (digit - 2) % DIGITS) * 4;
        input->flits[(digit - 2) / DIGITS].half[place / 64] |= (uint64_t)value << place % 64;
    }
}

static struct input input_of(const uint8_t *bytes, size_t size)
{
    struct input input = {0};
    for (size_t i = 0; i < size && input.digits < 2 + DIGITS * FLITS_MAX; i++) {
        const char *hex = "0123456789abcdef0123456789ABCDEF";
        const char *found = bytes[i] != 0 ? strchr(hex, bytes[i]) : NULL;
        if (found != NULL)
            take_digit(&input, (unsigned)(found - hex) % 16);
    }
    return input;
}

static void demand(bool holds)
{
    if (!holds)
        abort();
}

/* The body does not matter to a hub: `flits` has room for the longest. */
static void check_copies(const struct moehub_check_config *port, const struct moehub_header *header,
                         const struct moehub_flit *target_flits, uint64_t ports, unsigned packet_class)
{
    uint16_t targets[MOEHUB_TARGETS_MAX];
    for (unsigned i = 0; i < moehub_header_target_flits(header); i++)
        moehub_targets_unpack(target_flits[i], i, targets, header->target_count);
    for (unsigned gpu = 0; gpu < PORTS; gpu++) {
        struct moehub_flit flits[MOEHUB_STORE_LONGEST] = {{{0, 0}}};
        const unsigned head = moehub_packet_copy(header, targets, gpu, port->local_expert_bits, flits);
        demand((head > 0) == (ports >> gpu & 1));
        if (head == 0)
            continue;
        const struct moehub_header copy = moehub_header_unpack(flits[0]);
        struct moehub_check_config hub = *port;
        hub.hub = true;
        hub.own = (uint16_t)gpu;
        demand(moehub_packet_check(&hub, packet_class, flits, moehub_packet_flits(&copy), false).cause == MOEHUB_PACKET_CAUSES);
    }
}

static void check_accepted(const struct moehub_check_config *config, const struct input *input, size_t count, uint64_t ports)
{
    const struct moehub_header header = moehub_header_unpack(input->flits[0]);
    const struct moehub_flit again = moehub_header_pack(&header);
    demand(memcmp(&again, &input->flits[0], sizeof again) == 0);
    demand(count == moehub_packet_flits(&header) && count <= MOEHUB_RESPONSE_LONGEST);
    if (!config->hub && header.target_count > 0)
        check_copies(config, &header, input->flits + 1, ports, input->packet_class);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct input input = input_of(bytes, size);
    const struct moehub_check_config config = {input.receiver >= PORTS, (uint16_t)(input.receiver % PORTS), PORTS, 8, 32, 8,
                                               false};
    for (size_t count = 0; count <= FLITS_MAX; count++) {
        const struct moehub_packet_verdict verdict =
            moehub_packet_check(&config, input.packet_class, input.flits, count, false);
        demand(verdict.cause <= MOEHUB_PACKET_CAUSES && !(verdict.answered && verdict.cause == MOEHUB_PACKET_CAUSES));
        if (verdict.cause == MOEHUB_PACKET_CAUSES)
            check_accepted(&config, &input, count, verdict.ports);
    }
    return 0;
}
