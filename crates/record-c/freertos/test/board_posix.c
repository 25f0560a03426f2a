/* The POSIX port: the serial port is the standard output, and the tick calls the application. */
#include "board.h"
#include "counts.h"

#include <stdio.h>
#include <stdlib.h>

static volatile uint32_t is_started;

void board_start(void)
{
    static char buffer[65536];

    (void)setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
}

void board_start_interrupts(void)
{
    is_started = 1;
}

uint32_t board_interrupt(void)
{
    return 0;
}

uint32_t board_now(void)
{
    uint32_t before, now;

    RTO_FREERTOS_DISABLE(before);
    now = rto_freertos_clock;
    RTO_FREERTOS_RESTORE(before);
    return now;
}

/* The lock of the C library must not be held when the tick switches. */
void board_send(uint8_t byte)
{
    uint32_t before;

    RTO_FREERTOS_DISABLE(before);
    (void)putchar(byte);
    RTO_FREERTOS_RESTORE(before);
}

int board_receive(void)
{
    return -1;
}

void board_write_file(const char *name, const void *bytes, size_t count)
{
    FILE *const file = fopen(name, "wb");

    if (file != NULL) {
        (void)fwrite(bytes, 1, count, file);
        (void)fclose(file);
    }
}

void board_exit(int code)
{
    (void)fflush(stdout);
    _Exit(code);
}

void vApplicationTickHook(void)
{
    counts.ticks = counts.ticks + 1u;
    if (is_started != 0) {
        sample();
    }
}
