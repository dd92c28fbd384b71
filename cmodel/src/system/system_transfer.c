/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_transfer.h"

#include <math.h>

static double flits_per_second(const struct moehub_system_constants *constants)
{
    return moehub_system_value(constants, MOEHUB_SYSTEM_link_rate) / moehub_system_value(constants, MOEHUB_SYSTEM_flit_bytes);
}

double moehub_system_copy_rate(const struct moehub_system_constants *constants)
{
    return flits_per_second(constants) * moehub_system_value(constants, MOEHUB_SYSTEM_packet_bytes) /
           moehub_system_value(constants, MOEHUB_SYSTEM_packet_flits);
}

double moehub_system_allreduce_rate(const struct moehub_system_constants *constants, unsigned gpus)
{
    const double packet = moehub_system_value(constants, MOEHUB_SYSTEM_packet_flits);
    /* The direction to a GPU is the busier one: everybody's results, requests for its partials, the sums it asked for. */
    const double flits = packet + moehub_system_value(constants, MOEHUB_SYSTEM_request_flits) + packet / gpus;
    return flits_per_second(constants) * moehub_system_value(constants, MOEHUB_SYSTEM_packet_bytes) / flits;
}

double moehub_system_small_allreduce_time(const struct moehub_system_constants *constants, double bytes)
{
    return moehub_system_value(constants, MOEHUB_SYSTEM_nvls_start) +
           bytes / moehub_system_value(constants, MOEHUB_SYSTEM_nvls_small_rate);
}

double moehub_system_rows_time(const struct moehub_system_constants *constants, double rows, double row_bytes)
{
    const double packets = ceil(row_bytes / moehub_system_value(constants, MOEHUB_SYSTEM_packet_bytes));
    return rows * packets * moehub_system_value(constants, MOEHUB_SYSTEM_packet_flits) / flits_per_second(constants);
}

/* Rows whose packets have a list of that many flits. */
static double listed_time(const struct moehub_system_constants *constants, double rows, double row_bytes, double list)
{
    const double flits = moehub_system_value(constants, MOEHUB_SYSTEM_packet_flits);
    return moehub_system_rows_time(constants, rows, row_bytes) * (flits + list) / flits;
}

double moehub_system_listed_rows_time(const struct moehub_system_constants *constants, double rows, double row_bytes)
{
    return listed_time(constants, rows, row_bytes, moehub_system_value(constants, MOEHUB_SYSTEM_list_flits));
}

double moehub_system_copies_time(const struct moehub_system_constants *constants, double rows, double row_bytes)
{
    return listed_time(constants, rows, row_bytes, moehub_system_value(constants, MOEHUB_SYSTEM_copy_list_flits));
}

double moehub_system_requests_time(const struct moehub_system_constants *constants, double row_bytes)
{
    const double packets = ceil(row_bytes / moehub_system_value(constants, MOEHUB_SYSTEM_packet_bytes));
    const double requests = ceil(packets / moehub_system_value(constants, MOEHUB_SYSTEM_request_packets));
    return requests * moehub_system_value(constants, MOEHUB_SYSTEM_request_flits) / flits_per_second(constants);
}

enum moehub_system_constant moehub_system_hardware_constant(enum moehub_system_pattern pattern)
{
    static const enum moehub_system_constant constants[MOEHUB_SYSTEM_PATTERNS] = {
        MOEHUB_SYSTEM_hardware_dispatch, MOEHUB_SYSTEM_hardware_combine, MOEHUB_SYSTEM_hardware_fused};
    return constants[pattern];
}
