/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The vectors with which a Cortex-M3 starts a C program that uses newlib. */
#include <stdint.h>

extern void _start(void);
extern uint32_t stack_top;

static void stop(void)
{
    for (;;) {
    }
}

/* Handler of SVC; a program may define its own. */
__attribute__((weak))
void supervisor_call(void)
{
    stop();
}

/* Handler of SysTick. */
__attribute__((weak))
void systick_handler(void)
{
    stop();
}

struct vectors {
    uint32_t *stack;
    void (*exceptions[15])(void);
};

__attribute__((section(".vectors"), used))
static const struct vectors vectors = {
    &stack_top,
    {_start, stop, stop, stop, stop, stop, stop, stop, stop, stop, supervisor_call,
     stop, stop, stop, systick_handler},
};
