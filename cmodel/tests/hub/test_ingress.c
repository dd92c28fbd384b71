/* SPDX-License-Identifier: Apache-2.0 */
/* The ingress port: below the number of ports, and evenly spread over every pattern of rows. */
#include "moehub/ingress.h"
#include "common/support.h"

#include <gmp.h>

static unsigned low_bits(uint32_t context, uint32_t row, unsigned ports)
{
    return (context + row) % ports;
}

/* Smallest chance over strides of 2^0 .. 2^20, and over contexts. */
static double least_chance(unsigned (*port_of)(uint32_t, uint32_t, unsigned), unsigned ports)
{
    enum { ROWS = 4096 };
    double least = 1;
    for (unsigned stride = 0; stride <= 20; stride++)
        for (uint32_t context = 0; context < 8; context++) {
            double counts[64] = {0};
            double expected[64];
            for (uint32_t i = 0; i < ROWS; i++) {
                const unsigned port = port_of(context, i << stride, ports);
                assert_true(port < ports);
                counts[port]++;
            }
            for (unsigned port = 0; port < ports; port++)
                expected[port] = (double)ROWS / ports;
            const double chance = chi_square_chance(counts, expected, ports);
            least = chance < least ? chance : least;
        }
    return least;
}

static void ports_are_evenly_used(void **state)
{
    (void)state;
    assert_int_equal(moehub_ingress_port(3, 77, 1), 0);
    for (unsigned ports = 2; ports <= 64; ports++)
        assert_true(least_chance(moehub_ingress_port, ports) > UNLIKELY / 63);
    assert_true(least_chance(low_bits, 16) < UNLIKELY / 63);
}

/* The formula of the header, written once more in exact integers. */
static unsigned exact_port(uint32_t context, uint32_t row, unsigned ports)
{
    mpz_t hash;
    mpz_t high;
    mpz_inits(hash, high, NULL);
    mpz_set_ui(hash, context);
    mpz_mul_2exp(hash, hash, 32);
    mpz_add_ui(hash, hash, row);
    for (int round = 0; round < 2; round++) {
        mpz_mul_ui(hash, hash, 0x9E3779B97F4A7C15);
        mpz_fdiv_r_2exp(hash, hash, 64);
        mpz_fdiv_q_2exp(high, hash, 32);
        if (round == 0)
            mpz_xor(hash, hash, high);
    }
    mpz_mul_ui(high, high, ports);
    mpz_fdiv_q_2exp(high, high, 32);
    const unsigned port = (unsigned)mpz_get_ui(high);
    mpz_clears(hash, high, NULL);
    return port;
}

static void the_formula_is_the_documented_one(void **state)
{
    (void)state;
    unsigned others = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        const uint32_t context = i % 8;
        const uint32_t row = i * 2654435761u;
        const unsigned ports = 2 + i % 63;
        assert_int_equal(moehub_ingress_port(context, row, ports), exact_port(context, row, ports));
        others += moehub_ingress_port(context, row, ports) != exact_port(context, row + 1, ports);
    }
    assert_true(others > 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ports_are_evenly_used),
        cmocka_unit_test(the_formula_is_the_documented_one),
    };
    return cmocka_run_group_tests_name("ingress", tests, NULL, NULL);
}
