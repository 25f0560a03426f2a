/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A compact stream that is sent while it is recorded, and takes commands of the host: through a
 * debug probe with RTT, or, compiled with -DUART, through a serial port. Runs for ever on Arm's
 * MPS2+ with image AN385, which QEMU emulates:
 *
 *     qemu-system-arm -machine mps2-an385 -display none -gdb tcp::3333 -kernel live.elf
 *     rtoscope live gdb://localhost:3333 --target-filter markers=off
 *
 *     qemu-system-arm -machine mps2-an385 -display none -serial tcp::7000,server -kernel live.elf
 *     rtoscope live tcp://localhost:7000
 *
 * The "system": SysTick wakes the thread "camera" every millisecond, and "writer" every fourth
 * time. Every 64 times, markers have the numbers of context switches and interrupts so far, with
 * which a reader can compare its own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_stream.h"
#define RTO_RTT_IMPLEMENTATION
#include "rtoscope_rtt.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* A counter of 25 MHz; on hardware DWT_CYCCNT, which QEMU lacks. */
#define COUNTER ((volatile const uint32_t *)0x40028018u)
#define COUNTER_HZ 25000000u

#ifndef PERIODS_PER_SECOND
#define PERIODS_PER_SECOND 1000u
#endif

#define SYSTICK_CONTROL REGISTER(0xE000E010u)
#define SYSTICK_RELOAD REGISTER(0xE000E014u)
#define SYSTICK_VALUE REGISTER(0xE000E018u)

#define UART_DATA REGISTER(0x40004000u)
#define UART_STATE REGISTER(0x40004004u)
#define UART_CONTROL REGISTER(0x40004008u)
#define UART_DIVIDER REGISTER(0x40004010u)

/* Numbers of threads, of a handler, and of markers. */
enum { CAMERA = 1, WRITER = 2, SYSTICK = 15, FRAME = 3, SWITCHES = 4, INTERRUPTS = 5 };

static uint32_t words[4096];
static struct rto_stream stream;
static volatile bool camera_is_ready, writer_is_ready;
static uint32_t switches;
static volatile uint32_t interrupts;

void systick_handler(void)
{
    rto_stream_isr_enter(&stream, SYSTICK);
    interrupts = interrupts + 1u;
    if (!camera_is_ready) {
        camera_is_ready = true;
        rto_stream_ready_short(&stream, CAMERA);
    }
    if (interrupts % 4u == 0 && !writer_is_ready) {
        writer_is_ready = true;
        rto_stream_ready_short(&stream, WRITER);
    }
    rto_stream_isr_exit(&stream, SYSTICK);
}

static void wait_ticks(uint32_t ticks)
{
    const uint32_t start = *COUNTER;

    while (*COUNTER - start < ticks) {
    }
}

/* Runs a thread until it waits. */
static void run(uint8_t thread, volatile bool *is_ready, uint32_t ticks)
{
    rto_stream_resume_short(&stream, thread);
    switches++;
    rto_stream_marker_begin(&stream, FRAME, switches);
    wait_ticks(ticks);
    rto_stream_marker_end(&stream, FRAME, switches);
    __asm__ volatile("cpsid i" : : : "memory");
    *is_ready = false;
    rto_stream_wait(&stream, RTO_STREAM_WAIT_SEMAPHORE);
    __asm__ volatile("cpsie i" : : : "memory");
}

#ifdef UART

static void start_transport(void)
{
    UART_DIVIDER = 16;
    UART_CONTROL = 3;
}

/* With DMA: wait for the end of the transfer before, and start the next one. */
static bool send(const uint8_t *bytes, size_t count)
{
    size_t byte;

    for (byte = 0; byte < count; byte++) {
        while ((UART_STATE & 1u) != 0) {
        }
        UART_DATA = bytes[byte];
    }
    return true;
}

static bool has_room(size_t count)
{
    (void)count;
    return true;
}

static size_t receive(uint8_t *bytes, size_t size)
{
    size_t count = 0;

    while (count < size && (UART_STATE & 2u) != 0) {
        bytes[count++] = (uint8_t)UART_DATA;
    }
    return count;
}

#else

static void start_transport(void)
{
    static uint8_t to_host[65536], to_target[64];

    rto_rtt_start(to_host, sizeof(to_host), to_target, sizeof(to_target));
}

static bool send(const uint8_t *bytes, size_t count)
{
    return rto_rtt_write(bytes, count);
}

static bool has_room(size_t count)
{
    return rto_rtt_room() >= count;
}

static size_t receive(uint8_t *bytes, size_t size)
{
    return rto_rtt_read(bytes, size);
}

#endif

/* Sends what was recorded, and carries out what the host asks for. While there is no room, entries
   stay in the ring. At most four containers, or handlers that record meanwhile keep the loop from its
   end; every eighth time, also a short one. */
static void transfer(void)
{
    static uint8_t bytes[1024];
    static unsigned turns;
    const size_t least = ++turns % 8u == 0 ? 0 : 512;
    unsigned containers;
    size_t count;

    for (containers = 0; containers < 4u && rto_stream_pending(&stream) >= least
                         && has_room(sizeof(bytes)); containers++) {
        count = rto_stream_read(&stream, bytes, sizeof(bytes));
        if (count == 0 || !send(bytes, count)) {
            break;
        }
    }
    while ((count = receive(bytes, sizeof(bytes))) > 0) {
        rto_stream_take(&stream, bytes, count);
    }
}

int main(void)
{
    uint32_t reported = 0;

    start_transport();
    rto_stream_start(&stream, words, sizeof(words) / sizeof(words[0]), COUNTER, COUNTER_HZ);
    rto_stream_name(&stream, CAMERA, "camera");
    rto_stream_name(&stream, WRITER, "writer");
    rto_stream_name(&stream, FRAME, "frame");
    rto_stream_name(&stream, SWITCHES, "switches");
    rto_stream_name(&stream, INTERRUPTS, "interrupts");
    rto_stream_name_handler(&stream, SYSTICK, "SysTick");
    SYSTICK_RELOAD = COUNTER_HZ / PERIODS_PER_SECOND - 1u;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7;
    for (;;) {
        if (camera_is_ready) {
            run(CAMERA, &camera_is_ready, 2500);
        } else if (writer_is_ready) {
            run(WRITER, &writer_is_ready, 5000);
        } else {
            rto_stream_idle(&stream);
            transfer();
            while (!camera_is_ready && !writer_is_ready) {
            }
        }
        if (interrupts - reported >= 64u) {
            __asm__ volatile("cpsid i" : : : "memory");
            reported = interrupts;
            rto_stream_marker(&stream, SWITCHES, switches);
            rto_stream_marker(&stream, INTERRUPTS, reported);
            __asm__ volatile("cpsie i" : : : "memory");
        }
    }
}
