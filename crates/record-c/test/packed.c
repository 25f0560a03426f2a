/* A compact stream: random events of a simulated kernel, read at random times, some of them too
   late; the host suppresses some and pauses the recording. Writes the stream, packed.cswl, and what must be in it, packed.txt. Runs on a PC and,
   with semihosting, on a microcontroller. */
#include <stdio.h>

#if defined(__linux__)
#define RTO_STREAM_DISABLE(before) ((before) = 0)
#define RTO_STREAM_RESTORE(before) ((void)(before))
#endif
#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_stream.h"

#ifndef EVENTS
#define EVENTS 20000u
#endif

enum { WORDS = 512 };

static uint32_t words[WORDS];
static struct rto_stream stream;
static volatile uint32_t counter;
static uint64_t now;
static FILE *truth;

/* Whether the host has asked for other entries than all. */
static bool is_filtered;

enum { SUPPRESS = 4, RECORD = 5, SUPPRESS_MARKER = 6, SUPPRESS_HANDLER = 8, STOP = 2, START = 1 };

/* Sends a command of the host, one byte at a time, after bytes that are none. */
static void command(uint8_t number, uint32_t operand)
{
    uint8_t bytes[11] = {0xC5, 0xC5, 0x5C, 0xC5, 0x5C, number, 0xFF};
    unsigned byte;

    for (byte = 0; byte < 4u; byte++) {
        bytes[7 + byte] = (uint8_t)(operand >> 8u * byte);
    }
    for (byte = 3; byte < 11u; byte++) {
        bytes[6] = (uint8_t)(bytes[6] - (byte == 6u ? 0 : bytes[byte]));
    }
    for (byte = 0; byte < 11u; byte++) {
        rto_stream_take(&stream, &bytes[byte], 1);
    }
}

static uint32_t random_number(void)
{
    static uint32_t state = 1;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* Records an event, and what it is if it was not lost. */
static void event(void)
{
    const uint32_t choice = random_number() % 20u;
    const uint32_t thread = 0x20001000u + 0x100u * (random_number() % 4u);
    const uint32_t small = random_number() % 200u;
    const uint32_t lost = rto_stream_lost(&stream);
    uint32_t kind, operand, value = 0, words[9], count = 0, word;

    if (choice < 5u) {
        kind = RTO_STREAM_RESUME;
        operand = thread;
        rto_stream_resume(&stream, thread);
    } else if (choice < 7u) {
        kind = RTO_STREAM_RESUME;
        operand = small;
        rto_stream_resume_short(&stream, (uint8_t)small);
    } else if (choice < 9u) {
        kind = RTO_STREAM_READY;
        operand = thread;
        rto_stream_ready(&stream, thread);
    } else if (choice < 10u) {
        kind = RTO_STREAM_WAIT;
        operand = RTO_STREAM_WAIT_QUEUE;
        rto_stream_wait(&stream, RTO_STREAM_WAIT_QUEUE);
    } else if (choice < 12u) {
        kind = RTO_STREAM_ISR_ENTER;
        operand = small;
        rto_stream_isr_enter(&stream, (uint8_t)small);
    } else if (choice < 14u) {
        kind = RTO_STREAM_ISR_EXIT;
        operand = small;
        rto_stream_isr_exit(&stream, (uint8_t)small);
    } else if (choice < 15u) {
        kind = RTO_STREAM_SLEEP;
        operand = 0;
        rto_stream_idle(&stream);
    } else if (choice < 16u) {
        kind = RTO_STREAM_RESUME;
        operand = thread;
        value = 0x08000000u + small;
        rto_stream_resume_at(&stream, thread, value);
    } else if (choice < 17u) {
        kind = RTO_STREAM_WAIT;
        operand = RTO_STREAM_WAIT_MUTEX;
        value = 0x08001000u + small;
        rto_stream_wait_at(&stream, RTO_STREAM_WAIT_MUTEX, value);
    } else if (choice < 19u) {
        kind = RTO_STREAM_FORMATTED;
        count = 1u + random_number() % 9u;
        for (word = 0; word < count; word++) {
            words[word] = 0x1000u + random_number() % 100u;
        }
        operand = words[0];
        value = count > 1u ? words[1] : 0;
        rto_stream_format(&stream, words, count);
    } else {
        kind = RTO_STREAM_MARKER;
        operand = thread;
        value = random_number();
        rto_stream_marker(&stream, thread, value);
    }
    if (is_filtered && (kind == RTO_STREAM_READY || kind == RTO_STREAM_WAIT
                        || (kind == RTO_STREAM_MARKER && operand == 0x20001000u)
                        || (kind <= RTO_STREAM_ISR_EXIT && kind >= RTO_STREAM_ISR_ENTER
                            && operand % 64u == 7u))) {
        return;
    }
    if (rto_stream_lost(&stream) == lost) {
        fprintf(truth, "%lu%08lu %u %lu %lu", (unsigned long)(now / 100000000u),
                (unsigned long)(now % 100000000u), (unsigned)kind, (unsigned long)operand,
                (unsigned long)value);
        /* Values after the first one are recorded in pairs. */
        for (word = 2; word < count; word++) {
            fprintf(truth, " %lu", (unsigned long)words[word]);
        }
        fprintf(truth, "%s\n", count > 2u && count % 2u != 0 ? " 0" : "");
    }
}

/* Reads everything that was recorded. */
static bool read_all(FILE *file, size_t size)
{
    static uint8_t bytes[1000];
    size_t length;

    while ((length = rto_stream_read(&stream, bytes, size)) > 0) {
        if (fwrite(bytes, 1, length, file) != length) {
            return false;
        }
    }
    return rto_stream_pending(&stream) == 0;
}

int main(void)
{
    uint8_t bytes[RTO_STREAM_MIN_READ];
    FILE *file;
    unsigned number, handler;

    rto_stream_resume(&stream, 1);
    if (rto_stream_read(&stream, bytes, sizeof(bytes)) != 0
        || rto_stream_start(&stream, words, 63, &counter, 1000000)) {
        return 1;
    }
    truth = fopen("packed.txt", "w");
    file = fopen("packed.cswl", "wb");
    if (truth == NULL || file == NULL
        || !rto_stream_start(&stream, words, WORDS, &counter, 1000000)
        || !rto_stream_name(&stream, 0x20001000u, "camera")
        || !rto_stream_name(&stream, 0x20001100u, "a name that is longer than 31 bytes")
        || !rto_stream_name_handler(&stream, 7, "dma")
        || rto_stream_read(&stream, bytes, 255) != 0) {
        return 2;
    }
    for (number = 0; number < EVENTS; number++) {
        const uint32_t pause = random_number() % 64u;

        /* Mostly microseconds, sometimes longer than an entry can hold. */
        now += pause < 60u ? 1u + random_number() % 100u
               : pause < 63u ? 1u + random_number() % 1000000u
                             : 1u + random_number() % 500000000u;
        counter = (uint32_t)now;
        event();
        /* In the middle, the reader is late. */
        if (random_number() % (number / (EVENTS / 4u) == 1u ? 400u : 40u) == 0
            && !read_all(file, RTO_STREAM_MIN_READ + random_number() % 700u)) {
            return 3;
        }
        /* In the third quarter, entries are suppressed, and the recording is paused in its
           middle. */
        if (number == EVENTS / 2u || number == EVENTS / 4u * 3u) {
            is_filtered = number == EVENTS / 2u;
            if (!read_all(file, RTO_STREAM_MIN_READ)) {
                return 3;
            }
            command(is_filtered ? SUPPRESS : RECORD, RTO_STREAM_READINESS);
            command(is_filtered ? SUPPRESS_MARKER : SUPPRESS_MARKER + 1, 0x20001000u);
            for (handler = 7; handler < 256u; handler += 64u) {
                command(is_filtered ? SUPPRESS_HANDLER : SUPPRESS_HANDLER + 1, handler);
            }
            command(SUPPRESS_HANDLER, 0x107u);
        } else if (number == EVENTS / 8u * 5u) {
            command(STOP, 0);
        } else if (number == EVENTS / 8u * 5u + 100u) {
            command(START, 0);
        }
    }
    rto_stream_stop(&stream);
    rto_stream_resume(&stream, 1);
    if (!read_all(file, 1000)) {
        return 4;
    }
    fprintf(truth, "lost %lu\n", (unsigned long)rto_stream_lost(&stream));
    return fclose(file) == 0 && fclose(truth) == 0 ? 0 : 5;
}
