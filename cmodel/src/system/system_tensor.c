/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_tensor.h"

#include "moehub/system_transfer.h"

#include <math.h>

double moehub_system_tensor_wire(const struct moehub_system_constants *constants, unsigned gpus, double rows, double elements)
{
    const double element_bytes = 2;
    return moehub_system_rows_time(constants, (gpus - 1) * rows, elements * element_bytes);
}

double moehub_system_tensor_overlapped(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm,
                                       double sms, unsigned gpus, double wire)
{
    const double launch = moehub_system_value(constants, MOEHUB_SYSTEM_gemm_launch);
    const double products = moehub_system_gemm_time(constants, gemm, sms) - launch;
    return launch + fmax(products, wire + products / gpus);
}
