/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of hub and switch as far as the order of events fixes them. */
#include "moehub/hub_csr.h"
#include "moehub/switch_csr.h"
#include "moehub/version.h"

#include "common/support.h"

enum {
    LATCHED = MOEHUB_CSR_INTERRUPT_STATUS_LATCHED,
    REFUSED = MOEHUB_CSR_INTERRUPT_STATUS_REFUSED,
    CLEAR_NEEDED = MOEHUB_HUB_CSR_INTERRUPT_STATUS_CLEAR_NEEDED,
    DRAINED = MOEHUB_SWITCH_CSR_INTERRUPT_STATUS_DRAINED
};

/* ---- hub --------------------------------------------------------------------------------- */

struct hub {
    struct moehub_address_path path;
    struct moehub_hub_csr csr;
};

static struct hub *hub_create(void)
{
    struct hub *hub = calloc(1, sizeof *hub);
    assert_non_null(hub);
    const struct moehub_address_path_config config = moehub_address_path_config_default();
    assert_int_equal(moehub_address_path_create(&hub->path, &config, NULL), 0);
    assert_int_equal(moehub_al_walker_map(&hub->path.walker, 0x1000, 4096), 0);
    moehub_hub_csr_init(&hub->csr, &hub->path);
    return hub;
}

static void hub_destroy(struct hub *hub)
{
    moehub_address_path_destroy(&hub->path);
    free(hub);
}

static uint32_t hub_read(struct hub *hub, uint32_t address)
{
    const struct moehub_csr_word word = moehub_hub_csr_read(&hub->csr, address);
    assert_int_equal(word.response, MOEHUB_CSR_OKAY);
    assert_int_equal(word.data & ~word.known, 0);
    return word.data;
}

static void hub_write(struct hub *hub, uint32_t address, uint32_t data)
{
    assert_int_equal(moehub_hub_csr_write(&hub->csr, address, data, 0xF, false, false), MOEHUB_CSR_OKAY);
}

/* A command as software gives it: five registers, then the operation; returns COMMAND_STATUS. */
static uint32_t hub_command(struct hub *hub, uint32_t operation, uint32_t context, uint32_t index, uint64_t data0, uint64_t data1)
{
    hub_write(hub, MOEHUB_HUB_CSR_COMMAND_CONTEXT, context);
    hub_write(hub, MOEHUB_HUB_CSR_COMMAND_INDEX, index);
    hub_write(hub, MOEHUB_HUB_CSR_COMMAND_DATA0_LOW, (uint32_t)data0);
    hub_write(hub, MOEHUB_HUB_CSR_COMMAND_DATA0_HIGH, (uint32_t)(data0 >> 32));
    hub_write(hub, MOEHUB_HUB_CSR_COMMAND_DATA1_LOW, (uint32_t)data1);
    hub_write(hub, MOEHUB_HUB_CSR_COMMAND_DATA1_HIGH, (uint32_t)(data1 >> 32));
    hub_write(hub, MOEHUB_CSR_COMMAND, operation);
    return hub_read(hub, MOEHUB_CSR_COMMAND_STATUS);
}

static void hub_open(struct hub *hub)
{
    assert_int_equal(hub_command(hub, 0, 1, 0, 0x1000, 50 | UINT64_C(256) << 32), 0);
    assert_int_equal(hub_command(hub, 1, 1, 0, UINT32_MAX, 0), 0);
    assert_int_equal(hub_command(hub, 2, 1, 4, UINT64_C(0x123400000000), 3), 0);
    assert_int_equal(hub_command(hub, 6, 1, 0, 0, 0), 0);
    assert_int_equal(hub_command(hub, 3, 1, 0, 0, 0), 0);
}

static struct moehub_hub_answer touch(struct hub *hub, uint32_t row, bool first)
{
    const struct moehub_hub_request request = {.row_index = row, .expert = 4, .context = 1, .length = 16, .source = 2,
                                               .port = 7, .first = first, .tag = 0x55};
    struct moehub_hub_answer answer;
    moehub_address_path_request(&hub->path, &request, &answer);
    return answer;
}

static void hub_identity_and_parameters(void **state)
{
    (void)state;
    struct hub *hub = hub_create();
    static const uint32_t defaults[] = {4, 64, 64, 20, 22, 14, 48, 128, 4, 0, 16, 64, 128, 24, 128, 1, 9};
    assert_int_equal(hub_read(hub, MOEHUB_CSR_ID), MOEHUB_ID_HUB);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_VERSION), moehub_version());
    assert_string_equal(moehub_version_string(), "0.1.0");
    for (uint32_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
        assert_int_equal(hub_read(hub, MOEHUB_CSR_PARAMETER + 4 * i), defaults[i]);
    hub_destroy(hub);
}

static void hub_commands_and_results(void **state)
{
    (void)state;
    struct hub *hub = hub_create();
    assert_int_equal(hub_read(hub, MOEHUB_CSR_STATUS), 0xF0000);   /* every context needs a clear */
    hub_open(hub);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_STATUS), 0xD0000);
    assert_int_equal(touch(hub, 9, true).slot, 0);
    assert_int_equal(hub_command(hub, 9, 1, 4, 0, 0), 0);
    assert_int_equal(hub_read(hub, MOEHUB_HUB_CSR_RESULT_DATA0_LOW), 0);
    assert_int_equal(hub_read(hub, MOEHUB_HUB_CSR_RESULT_DATA0_HIGH), 0x1234);
    assert_int_equal(hub_read(hub, MOEHUB_HUB_CSR_RESULT_DATA1_LOW), 3);
    assert_int_equal(hub_read(hub, MOEHUB_HUB_CSR_RESULT_DATA1_HIGH), 1);
    assert_int_equal(hub_command(hub, 5, 1, 0, 0, 0), 2);   /* refused: enabled */
    assert_int_equal(hub_read(hub, MOEHUB_HUB_CSR_RESULT_DATA1_LOW), 0);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_INTERRUPT_STATUS), LATCHED | REFUSED);
    hub_write(hub, MOEHUB_CSR_INTERRUPT_STATUS, REFUSED);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_INTERRUPT_STATUS), LATCHED);
    assert_int_equal(moehub_hub_csr_write(&hub->csr, MOEHUB_CSR_COMMAND, 3, 0xF, true, false), MOEHUB_CSR_SLVERR);
    assert_int_equal(hub_read(hub, MOEHUB_HUB_CSR_COMMAND_CONTEXT), 1);
    assert_int_equal(hub_read(hub, MOEHUB_HUB_CSR_COMMAND_INDEX), 0);
    hub_destroy(hub);
}

static void hub_in_flight_refuses(void **state)
{
    (void)state;
    struct hub *hub = hub_create();
    hub_open(hub);
    assert_int_equal(hub_command(hub, 4, 1, 0, 0, 0), 0);
    assert_int_equal(moehub_hub_csr_write(&hub->csr, MOEHUB_CSR_COMMAND, 5, 0xF, false, true), MOEHUB_CSR_OKAY);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_COMMAND_STATUS), 6);
    assert_int_equal(hub_command(hub, 5, 1, 0, 0, 0), 0);
    hub_destroy(hub);
}

static void hub_clear_needed_interrupts(void **state)
{
    (void)state;
    struct hub *hub = hub_create();
    hub_open(hub);
    assert_int_equal(hub_command(hub, 4, 1, 0, 0, 0), 0);
    for (unsigned epoch = 1; epoch < 1023; epoch++)
        assert_int_equal(hub_command(hub, 5, 1, 0, 0, 0), 0);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_INTERRUPT_STATUS), 0);
    assert_int_equal(hub_command(hub, 5, 1, 0, 0, 0), 0);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_INTERRUPT_STATUS), CLEAR_NEEDED);
    assert_int_equal(hub_command(hub, 3, 1, 0, 0, 0), 2);
    hub_destroy(hub);
}

static void hub_counters_are_a_snapshot(void **state)
{
    (void)state;
    struct hub *hub = hub_create();
    hub_open(hub);
    touch(hub, 9, true);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_COUNTER_LOW), 0);
    hub_write(hub, MOEHUB_CSR_SNAPSHOT, 0);
    touch(hub, 9, false);
    for (uint32_t event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++) {
        static const uint32_t once[MOEHUB_HUB_ORDER_EVENTS] = {1, 1, 0, 1, 0, 1, 1, 1};
        assert_int_equal(hub_read(hub, MOEHUB_CSR_COUNTER_LOW + 8 * event), once[event]);
        assert_int_equal(hub_read(hub, MOEHUB_CSR_COUNTER_HIGH + 8 * event), 0);
    }
    hub->path.counters[MOEHUB_HUB_EVENT_HITS] = UINT64_C(0xABCD123456789ABC);
    hub_write(hub, MOEHUB_CSR_SNAPSHOT, 1);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_COUNTER_LOW + 8 * MOEHUB_HUB_EVENT_HITS), 0x56789ABC);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_COUNTER_HIGH + 8 * MOEHUB_HUB_EVENT_HITS), 0x1234);   /* 48 bits */
    assert_int_equal(moehub_hub_csr_read(&hub->csr, MOEHUB_CSR_COUNTER_LOW + 8 * 19).known, 0);
    hub_destroy(hub);
}

static void hub_latch_holds_an_offender(void **state)
{
    (void)state;
    struct hub *hub = hub_create();
    hub_open(hub);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_LATCH_STATUS), 0);
    assert_int_equal(touch(hub, 9, false).status, MOEHUB_STATUS_UNMAPPED);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_LATCH_STATUS), 1 | 5 << 8);
    const struct moehub_header header = {.type = 1, .length = 16, .source = 2, .context = 1, .tag = 0x55, .status = 6,
                                         .row_index = 9};
    const struct moehub_flit flit = moehub_header_pack(&header);
    uint32_t words[4] = {(uint32_t)flit.half[0], (uint32_t)(flit.half[0] >> 32), (uint32_t)flit.half[1],
                         (uint32_t)(flit.half[1] >> 32)};
    const uint32_t name = 4 | 7 << 16;
    assert_true(moehub_hub_csr_latch_possible(&hub->csr, 1 | 5 << 8, words, name));
    assert_false(moehub_hub_csr_latch_possible(&hub->csr, 1 | 6 << 8, words, name));
    assert_false(moehub_hub_csr_latch_possible(&hub->csr, 1 | 5 << 8, words, name ^ 1));
    assert_false(moehub_hub_csr_latch_possible(&hub->csr, 0, words, name));
    words[2] ^= 1;
    assert_false(moehub_hub_csr_latch_possible(&hub->csr, 1 | 5 << 8, words, name));
    assert_int_equal(touch(hub, 60, false).status, MOEHUB_STATUS_RANGE);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_LATCH_STATUS), 1);   /* which of the two is not known any more */
    hub_write(hub, MOEHUB_CSR_LATCH_STATUS, 0);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_LATCH_STATUS), 1);
    hub_write(hub, MOEHUB_CSR_LATCH_STATUS, 1);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_LATCH_STATUS), 0);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_INTERRUPT_STATUS) & LATCHED, LATCHED);   /* the interrupt is an event of its own */
    hub_destroy(hub);
}

/* The first address that is no counter. */
#define BEYOND_COUNTERS(events) (MOEHUB_CSR_COUNTER_LOW + 8 * (events))

static void hub_refuses_bad_accesses(void **state)
{
    (void)state;
    struct hub *hub = hub_create();
    static const uint32_t no_write[] = {0x000, 0x004, 0x008, 0x014, 0x020, 0x058, 0x064, 0x09C, 0x0A0, 0x0C8, 0x0D8, 0x0DC,
                                        0x100, BEYOND_COUNTERS(MOEHUB_HUB_EVENTS), 0x081, 0xFFC};
    static const uint32_t no_read[] = {0x014, 0x064, 0x098, 0x0B0, 0x0C0, 0x0E0, BEYOND_COUNTERS(MOEHUB_HUB_EVENTS),
                                       0x001, 0x102};
    for (unsigned i = 0; i < sizeof no_write / sizeof no_write[0]; i++)
        assert_int_equal(moehub_hub_csr_write(&hub->csr, no_write[i], 1, 0xF, false, false), MOEHUB_CSR_SLVERR);
    for (unsigned i = 0; i < sizeof no_read / sizeof no_read[0]; i++) {
        const struct moehub_csr_word word = moehub_hub_csr_read(&hub->csr, no_read[i]);
        assert_int_equal(word.response, MOEHUB_CSR_SLVERR);
        assert_int_equal(word.data, 0);
    }
    for (unsigned strobe = 0; strobe < 15; strobe++)
        assert_int_equal(moehub_hub_csr_write(&hub->csr, MOEHUB_CSR_INTERRUPT_MASK, 7, strobe, false, false), MOEHUB_CSR_SLVERR);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_INTERRUPT_MASK), 0);
    hub_write(hub, MOEHUB_CSR_INTERRUPT_MASK, 0xFFFFFFFF);
    assert_int_equal(hub_read(hub, MOEHUB_CSR_INTERRUPT_MASK), 7);
    hub_destroy(hub);
}

/* ---- switch --------------------------------------------------------------------------------- */

struct port {
    struct moehub_reduction_buffer buffer;
    struct moehub_switch_csr csr;
};

static struct port *port_create(void)
{
    struct port *port = calloc(1, sizeof *port);
    assert_non_null(port);
    const struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    assert_int_equal(moehub_reduction_buffer_create(&port->buffer, &config), 0);
    moehub_switch_csr_init(&port->csr, &port->buffer);
    return port;
}

static void port_destroy(struct port *port)
{
    moehub_reduction_buffer_destroy(&port->buffer);
    free(port);
}

static uint32_t port_read(struct port *port, uint32_t address)
{
    const struct moehub_csr_word word = moehub_switch_csr_read(&port->csr, address);
    assert_int_equal(word.response, MOEHUB_CSR_OKAY);
    assert_int_equal(word.data & ~word.known, 0);
    return word.data;
}

static void port_write(struct port *port, uint32_t address, uint32_t data)
{
    assert_int_equal(moehub_switch_csr_write(&port->csr, address, data, 0xF, false), MOEHUB_CSR_OKAY);
}

static struct moehub_reduction_grant port_reserve(struct port *port, uint64_t contributors)
{
    const struct moehub_reduction_reserve reserve = {.tag = 9, .contributors = contributors, .requester = 1, .length = 2};
    struct moehub_reduction_grant grant;
    assert_int_equal(moehub_reduction_buffer_reserve(&port->buffer, &reserve, &grant), 0);
    return grant;
}

static void port_finish(struct port *port, struct moehub_reduction_grant grant)
{
    static const uint8_t data[16] = {0};
    const struct moehub_reduction_partial partial = {data, 1, grant.entry, 2, grant.generation, 1, 0, 0};
    assert_int_equal(moehub_reduction_buffer_partial(&port->buffer, &partial), MOEHUB_REDUCTION_NO_CAUSE);
    assert_int_equal(moehub_reduction_buffer_result_taken(&port->buffer, grant.entry, NULL), 0);
}

static void port_identity_and_parameters(void **state)
{
    (void)state;
    struct port *port = port_create();
    static const uint32_t defaults[] = {107, 64, 128, 16, 64, 1, 8, 24};
    assert_int_equal(port_read(port, MOEHUB_CSR_ID), MOEHUB_ID_SWITCH);
    assert_int_equal(port_read(port, MOEHUB_CSR_VERSION), moehub_version());
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(port_read(port, MOEHUB_CSR_PARAMETER + 4 * i), defaults[i]);
    assert_int_equal(moehub_switch_csr_read(&port->csr, 0x040).response, MOEHUB_CSR_SLVERR);
    port_destroy(port);
}

static void port_drains(void **state)
{
    (void)state;
    struct port *port = port_create();
    assert_int_equal(port_read(port, MOEHUB_CSR_STATUS), 2);
    const struct moehub_reduction_grant grant = port_reserve(port, 2);
    assert_int_equal(port_read(port, MOEHUB_CSR_STATUS), 1 << 16);
    port_write(port, MOEHUB_CSR_COMMAND, MOEHUB_REDUCTION_COMMAND_DRAIN);
    assert_int_equal(port_read(port, MOEHUB_CSR_STATUS), 4 | 1 << 16);
    assert_int_equal(port_read(port, MOEHUB_CSR_INTERRUPT_STATUS), 0);
    port_finish(port, grant);
    assert_int_equal(port_read(port, MOEHUB_CSR_STATUS), 6);
    assert_int_equal(port_read(port, MOEHUB_CSR_INTERRUPT_STATUS), DRAINED);
    port_write(port, MOEHUB_CSR_INTERRUPT_STATUS, DRAINED);
    assert_int_equal(port_read(port, MOEHUB_CSR_INTERRUPT_STATUS), 0);
    assert_int_equal(port_reserve(port, 2).status, MOEHUB_STATUS_DRAINING);
    assert_int_equal(port_read(port, MOEHUB_CSR_INTERRUPT_STATUS), LATCHED);
    port_write(port, MOEHUB_CSR_COMMAND, MOEHUB_REDUCTION_COMMAND_RESUME);
    assert_int_equal(port_read(port, MOEHUB_CSR_STATUS), 2);
    port_write(port, MOEHUB_CSR_COMMAND, MOEHUB_REDUCTION_COMMAND_DRAIN);   /* already empty */
    assert_int_equal(port_read(port, MOEHUB_CSR_INTERRUPT_STATUS), LATCHED | DRAINED);
    port_destroy(port);
}

static void port_commands(void **state)
{
    (void)state;
    struct port *port = port_create();
    port_write(port, MOEHUB_SWITCH_CSR_COMMAND_DATA, 5000);
    port_write(port, MOEHUB_CSR_COMMAND, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET);
    assert_int_equal(port_read(port, MOEHUB_SWITCH_CSR_TIMEOUT), 5000);
    assert_int_equal(port_read(port, MOEHUB_CSR_COMMAND_STATUS), 0);
    port_reserve(port, 2);
    port_write(port, MOEHUB_CSR_COMMAND, MOEHUB_REDUCTION_COMMAND_FLUSH);
    assert_int_equal(port_read(port, MOEHUB_CSR_COMMAND_STATUS), 2);
    assert_int_equal(port_read(port, MOEHUB_CSR_INTERRUPT_STATUS), LATCHED | REFUSED);
    assert_int_equal(moehub_switch_csr_write(&port->csr, MOEHUB_CSR_COMMAND, 0, 0xF, true), MOEHUB_CSR_SLVERR);
    port_destroy(port);
}

static void port_counters_and_latch(void **state)
{
    (void)state;
    struct port *port = port_create();
    port_finish(port, port_reserve(port, 2));
    port_reserve(port, 0);
    port_write(port, MOEHUB_CSR_SNAPSHOT, 0);
    static const uint32_t expected[MOEHUB_REDUCTION_ORDER_EVENTS] = {2, 1, 1, 1, 0, 0, 1};
    for (uint32_t event = 0; event < MOEHUB_REDUCTION_ORDER_EVENTS; event++)
        assert_int_equal(port_read(port, MOEHUB_CSR_COUNTER_LOW + 8 * event), expected[event]);
    assert_int_equal(port_read(port, MOEHUB_CSR_LATCH_STATUS), 1 | 1 << 8);
    const struct moehub_flit flit =
        moehub_header_pack(&(struct moehub_header){.type = 3, .length = 2, .source = 1, .tag = 9});
    uint32_t words[4] = {(uint32_t)flit.half[0], (uint32_t)(flit.half[0] >> 32), 0, 0};
    assert_true(moehub_switch_csr_latch_possible(&port->csr, 1 | 1 << 8, words, 0));
    assert_false(moehub_switch_csr_latch_possible(&port->csr, 1 | 1 << 8, words, 1));
    words[0] ^= 1;
    assert_false(moehub_switch_csr_latch_possible(&port->csr, 1 | 1 << 8, words, 0));
    port_write(port, MOEHUB_CSR_LATCH_STATUS, 1);
    assert_int_equal(port_read(port, MOEHUB_CSR_LATCH_STATUS), 0);
    port_destroy(port);
}

static void port_refuses_bad_accesses(void **state)
{
    (void)state;
    struct port *port = port_create();
    static const uint32_t no_write[] = {0x000, 0x008, 0x020, 0x080, 0x09C, 0x0A0, 0x0C8, 0x0DC, 0x100,
                                        BEYOND_COUNTERS(MOEHUB_REDUCTION_EVENTS)};
    static const uint32_t no_read[] = {0x040, 0x080, 0x098, 0x0C0, BEYOND_COUNTERS(MOEHUB_REDUCTION_EVENTS), 0x003};
    for (unsigned i = 0; i < sizeof no_write / sizeof no_write[0]; i++)
        assert_int_equal(moehub_switch_csr_write(&port->csr, no_write[i], 1, 0xF, false), MOEHUB_CSR_SLVERR);
    for (unsigned i = 0; i < sizeof no_read / sizeof no_read[0]; i++)
        assert_int_equal(moehub_switch_csr_read(&port->csr, no_read[i]).response, MOEHUB_CSR_SLVERR);
    assert_int_equal(moehub_switch_csr_write(&port->csr, MOEHUB_SWITCH_CSR_COMMAND_DATA, 1, 7, false), MOEHUB_CSR_SLVERR);
    assert_int_equal(port_read(port, MOEHUB_SWITCH_CSR_COMMAND_DATA), 0);
    port_destroy(port);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hub_identity_and_parameters), cmocka_unit_test(hub_commands_and_results),
        cmocka_unit_test(hub_in_flight_refuses),       cmocka_unit_test(hub_clear_needed_interrupts),
        cmocka_unit_test(hub_counters_are_a_snapshot), cmocka_unit_test(hub_latch_holds_an_offender),
        cmocka_unit_test(hub_refuses_bad_accesses),    cmocka_unit_test(port_identity_and_parameters),
        cmocka_unit_test(port_drains),                 cmocka_unit_test(port_commands),
        cmocka_unit_test(port_counters_and_latch),     cmocka_unit_test(port_refuses_bad_accesses),
    };
    return cmocka_run_group_tests_name("csr", tests, NULL, NULL);
}
