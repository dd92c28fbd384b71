/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/software.h"

#include "kit/allocate.h"

#include <stdint.h>
#include <stdlib.h>

enum { STACK_BYTES = 256 * 1024 };

/* makecontext hands over integers only: a pointer in two halves. */
static void begin(unsigned low, unsigned high)
{
    struct software *software = (struct software *)((uintptr_t)low | (uintptr_t)high << 32);
    software->program(software->user);
    software->ended = true;
}

void software_create(struct software *software, software_program *program, void *user)
{
    *software = (struct software){.stack = allocate(STACK_BYTES, 1), .program = program, .user = user};
    getcontext(&software->own);
    software->own.uc_stack.ss_sp = software->stack;
    software->own.uc_stack.ss_size = STACK_BYTES;
    software->own.uc_link = &software->clock;
    makecontext(&software->own, (void (*)(void))begin, 2, (unsigned)(uintptr_t)software, (unsigned)((uintptr_t)software >> 32));
}

void software_destroy(struct software *software)
{
    free(software->stack);
}

void software_step(struct software *software)
{
    if (software->ended)
        return;
    if (software->awaited == NULL || software->awaited(software->of)) /* a change of stacks is a system call */
        swapcontext(&software->clock, &software->own);
}

static void await(struct software *software, software_condition *condition, const void *of)
{
    if (condition(of))
        return;
    software->awaited = condition;
    software->of = of;
    swapcontext(&software->own, &software->clock);
    software->awaited = NULL;
}

void software_await(struct software *software, software_condition *condition)
{
    await(software, condition, software->user);
}

static bool is_idle(const void *bus)
{
    return axi_lite_idle(bus);
}

void software_await_bus(struct software *software, const struct axi_lite *bus)
{
    await(software, is_idle, bus);
}
