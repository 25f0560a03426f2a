/* Two cores, each with a compact stream: their containers are sent one after the other, as through
   one transport. Both count with the same counter; one is busy, the other mostly idle, and both
   lose entries. Writes the containers, cores.cswl, and what must be in them, cores.txt: the events
   of both in the order of their times. Runs on a PC and, with semihosting, on a microcontroller. */
#include <stdio.h>

#if defined(__linux__)
#define RTO_STREAM_DISABLE(before) ((before) = 0)
#define RTO_STREAM_RESTORE(before) ((void)(before))
#endif
#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_stream.h"

#ifndef EVENTS
#define EVENTS 30000u
#endif

enum { CORES = 2, WORDS = 512 };

static uint32_t words[CORES][WORDS];
static struct rto_stream stream[CORES];
static volatile uint32_t counter;
static uint64_t now;
static FILE *truth, *file;

static uint32_t random_number(void)
{
    static uint32_t state = 3;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void event(unsigned core)
{
    struct rto_stream *const on = &stream[core];
    const uint32_t lost = rto_stream_lost(on);
    const uint32_t thread = 0x20001000u + 0x100u * (random_number() % 4u) + 0x1000u * core;
    uint32_t kind = RTO_STREAM_RESUME, operand = thread, value = 0;

    switch (random_number() % 4u) {
    case 0:
        rto_stream_resume(on, thread);
        break;
    case 1:
        kind = RTO_STREAM_READY;
        rto_stream_ready(on, thread);
        break;
    case 2:
        kind = RTO_STREAM_WAIT;
        operand = RTO_STREAM_WAIT_QUEUE;
        rto_stream_wait(on, RTO_STREAM_WAIT_QUEUE);
        break;
    default:
        kind = RTO_STREAM_MARKER;
        value = random_number();
        rto_stream_marker(on, thread, value);
        break;
    }
    if (rto_stream_lost(on) == lost) {
        fprintf(truth, "%lu%08lu %u %lu %lu %u\n", (unsigned long)(now / 100000000u),
                (unsigned long)(now % 100000000u), (unsigned)kind, (unsigned long)operand,
                (unsigned long)value, core);
    }
}

/* Sends the containers of a core: all, or one. */
static bool send(unsigned core, bool all)
{
    static uint8_t bytes[1000];
    size_t length;

    while ((length = rto_stream_read(&stream[core], bytes, RTO_STREAM_MIN_READ
                                                               + random_number() % 700u)) > 0) {
        if (fwrite(bytes, 1, length, file) != length) {
            return false;
        }
        if (!all) {
            break;
        }
    }
    return true;
}

int main(void)
{
    unsigned number, core;

    truth = fopen("cores.txt", "w");
    file = fopen("cores.cswl", "wb");
    if (truth == NULL || file == NULL) {
        return 1;
    }
    counter = (uint32_t)(now = 0xFFFFF000u);
    for (core = 0; core < CORES; core++) {
        if (!rto_stream_start(&stream[core], words[core], WORDS, &counter, 1000000)) {
            return 2;
        }
        rto_stream_set_core(&stream[core], (uint8_t)core, CORES);
    }
    for (number = 0; number < EVENTS; number++) {
        const uint32_t pause = random_number() % 4096u;
        /* In the third quarter, the reader is late, and both lose entries. */
        const bool is_late = number / (EVENTS / 4u) == 2u;
        /* For some time, the second core does nothing; it is late with its first events. */
        const bool is_quiet = number < 200u || number / (EVENTS / 8u) == 3u;

        now += pause < 4090u ? 1u + random_number() % 300u : 1u + random_number() % 900000000u;
        counter = (uint32_t)now;
        event(!is_quiet && random_number() % (is_late ? 2u : 8u) == 0 ? 1u : 0u);
        if (random_number() % (is_late ? 500u : 50u) == 0) {
            for (core = 0; core < CORES; core++) {
                if (!send(core, random_number() % 2u == 0)) {
                    return 3;
                }
            }
        }
    }
    for (core = 0; core < CORES; core++) {
        if (!send(core, true)) {
            return 4;
        }
    }
    /* Losses after the last entries are not in the stream. */
    now += 10;
    counter = (uint32_t)now;
    for (core = 0; core < CORES; core++) {
        event(core);
        if (!send(core, true)) {
            return 5;
        }
    }
    fprintf(truth, "lost %lu %lu\n", (unsigned long)rto_stream_lost(&stream[0]),
            (unsigned long)rto_stream_lost(&stream[1]));
    return fclose(file) == 0 && fclose(truth) == 0 ? 0 : 6;
}
