/* The code before and after main: vectors, memory initialisation, and QEMU's exit. */

#include <stdint.h>

extern uint32_t data_start[], data_end[], data_image[], bss_start[], bss_end[];
extern uint32_t stack_top[];

int main(void);

/* Semihosting's SYS_EXIT (0x18); reason 0x20026 means success. */
static void leave(uint32_t reason)
{
    register uint32_t operation __asm__("r0") = 0x18;
    register uint32_t argument __asm__("r1") = reason;
    for (;;)
    {
        __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(argument) : "memory");
    }
}

void reset(void)
{
    const uint32_t *from = data_image;
    for (uint32_t *to = data_start; to < data_end; ++to)
    {
        *to = *from++;
    }
    for (uint32_t *to = bss_start; to < bss_end; ++to)
    {
        *to = 0;
    }
    leave(main() == 0 ? 0x20026 : 0x20023);
}

static void fault(void)
{
    leave(0x20023);
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    stack_top, (const void *)reset, (const void *)fault, (const void *)fault,
};
