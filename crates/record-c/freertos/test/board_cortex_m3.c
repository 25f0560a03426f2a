/* Arm's MPS2+ with image AN385, which QEMU emulates, with semihosting by newlib's rdimon. */
#include "board.h"
#include "counts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define UART_DATA REGISTER(0x40004000u)
#define UART_STATE REGISTER(0x40004004u)
#define UART_CONTROL REGISTER(0x40004008u)
#define UART_DIVIDER REGISTER(0x40004010u)

/* A timer whose interrupt, 8, has exception number 24. */
#define TIMER_CONTROL REGISTER(0x40000000u)
#define TIMER_RELOAD REGISTER(0x40000008u)
#define TIMER_CLEAR REGISTER(0x4000000Cu)
#define NVIC_ENABLE REGISTER(0xE000E100u)
#define NVIC_PRIORITY REGISTER(0xE000E408u)

enum { TIMER_HANDLER = 24 };

void board_start(void)
{
    UART_DIVIDER = 16;
    UART_CONTROL = 3;
}

void board_start_interrupts(void)
{
    NVIC_PRIORITY = 0x80;
    NVIC_ENABLE = 1u << 8;
    TIMER_RELOAD = COUNTER_HZ / 2000u;
    TIMER_CONTROL = 9;
}

uint32_t board_interrupt(void)
{
    return TIMER_HANDLER;
}

uint32_t board_now(void)
{
    return *COUNTER;
}

void board_send(uint8_t byte)
{
    while ((UART_STATE & 1u) != 0) {
    }
    UART_DATA = byte;
}

int board_receive(void)
{
    return (UART_STATE & 2u) != 0 ? (int)(UART_DATA & 0xFFu) : -1;
}

void board_write_file(const char *name, const void *bytes, size_t count)
{
    const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

    (void)write(file, bytes, count);
    (void)close(file);
}

void board_exit(int code)
{
    _exit(code);
}

void TIMER0_Handler(void)
{
    TIMER_CLEAR = 1;
    sample();
}

extern void xPortSysTickHandler(void);

/* Before V11, the port's handler calls no trace macros. */
void SysTick_Handler(void)
{
    counts.ticks = counts.ticks + 1u;
#if tskKERNEL_VERSION_MAJOR < 11
    traceISR_ENTER();
    xPortSysTickHandler();
    traceISR_EXIT();
#else
    xPortSysTickHandler();
#endif
}

/* The vectors. */
extern void _start(void);
extern void SVC_Handler(void), PendSV_Handler(void);
extern uint32_t stack_top;

static void stop(void)
{
    for (;;) {
    }
}

struct vectors {
    uint32_t *stack;
    void (*handlers[24])(void);
};

__attribute__((section(".vectors"), used))
static const struct vectors vectors = {
    &stack_top,
    {_start, stop, stop, stop, stop, stop, stop, stop, stop, stop, SVC_Handler, stop, stop,
     PendSV_Handler, SysTick_Handler, stop, stop, stop, stop, stop, stop, stop, stop,
     TIMER0_Handler},
};
