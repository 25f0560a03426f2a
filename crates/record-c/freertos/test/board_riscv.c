/*
 * RISC-V's machine "virt", which QEMU emulates, with semihosting. The interrupt of the application is
 * the one by software, which the tick requests twice.
 */
#include "board.h"
#include "counts.h"

#include <string.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define UART(at) (*(volatile uint8_t *)(0x10000000u + (at)))

/* The interrupt by software of hart 0. */
#define SOFTWARE_INTERRUPT REGISTER(0x02000000u)

enum { SOFTWARE_HANDLER = 3 };

static volatile uint32_t requests, is_started;

void board_start(void)
{
}

void board_start_interrupts(void)
{
    is_started = 1;
    __asm__ volatile("csrs mie, %0" : : "r"(8));
}

uint32_t board_interrupt(void)
{
    return SOFTWARE_HANDLER;
}

uint32_t board_now(void)
{
    return *COUNTER;
}

void board_send(uint8_t byte)
{
    while ((UART(5) & 0x20u) == 0) {
    }
    UART(0) = byte;
}

int board_receive(void)
{
    return (UART(5) & 1u) != 0 ? UART(0) : -1;
}

/* The sequence that a debugger recognises must not cross a page. */
__attribute__((naked, noinline, aligned(16)))
static long semihosting(long operation, const void *arguments)
{
    (void)operation;
    (void)arguments;
    __asm__ volatile(".option push\n\t.option norvc\n\tslli x0, x0, 0x1f\n\tebreak\n\t"
                     "srai x0, x0, 7\n\t.option pop\n\tret");
}

void board_write_file(const char *name, const void *bytes, size_t count)
{
    const uintptr_t open[3] = {(uintptr_t)name, 4, strlen(name)};
    const long file = semihosting(1, open);
    const uintptr_t write[3] = {(uintptr_t)file, (uintptr_t)bytes, count};
    const uintptr_t close[1] = {(uintptr_t)file};

    (void)semihosting(5, write);
    (void)semihosting(2, close);
}

void board_exit(int code)
{
    const uintptr_t arguments[2] = {0x20026, (uintptr_t)code};

    for (;;) {
        (void)semihosting(0x20, arguments);
    }
}

void vApplicationTickHook(void)
{
    counts.ticks = counts.ticks + 1u;
    if (is_started != 0) {
        requests = 2;
        SOFTWARE_INTERRUPT = 1;
    }
}

void freertos_risc_v_application_interrupt_handler(uint32_t cause)
{
    (void)cause;
    requests = requests - 1u;
    SOFTWARE_INTERRUPT = requests > 0;
    sample();
}

/* Before V11, by this name. */
void freertos_risc_v_application_exception_handler(uint32_t cause)
{
    board_exit((int)cause);
}

extern void freertos_risc_v_trap_handler(void);
extern int main(void);
extern const char bss_end[];

__attribute__((naked, section(".start"), used))
void _start(void)
{
    __asm__ volatile(".option push\n\t.option norelax\n\tla gp, __global_pointer$\n\t.option pop\n\t"
                     "la sp, stack_top\n\tj start");
}

__attribute__((used))
void start(void)
{
    memset((char *)(uintptr_t)bss_start, 0, (size_t)(bss_end - bss_start));
    __asm__ volatile("csrw mtvec, %0" : : "r"(freertos_risc_v_trap_handler));
    board_exit(main());
}
