/* What a Cortex-M3 needs to start a C program of newlib's. */
#include <stdint.h>

extern void _start(void);
extern uint32_t stack_top;

static void stop(void)
{
    for (;;) {
    }
}

/* SVC, if a program has a handler of that name. */
__attribute__((weak))
void supervisor_call(void)
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
    {_start, stop, stop, stop, stop, stop, stop, stop, stop, stop, supervisor_call},
};
