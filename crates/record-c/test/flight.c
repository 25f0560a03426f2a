/* A flight recorder: a compact stream that keeps its newest entries until a snapshot is taken. A
   model of the ring predicts what each snapshot contains. Writes the stream, flight.cswl, and what
   must be in it, flight.txt. Runs on a PC and, with semihosting, on a microcontroller. */
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

enum { WORDS = 256, KEPT = 512 };

/* An event that is still in the ring. */
struct event {
    uint64_t time;
    uint32_t kind, operand, value, entries;
};

static uint32_t words[WORDS];
static struct rto_stream stream;
static volatile uint32_t counter;
static uint64_t now;
static struct event kept[KEPT];
static unsigned oldest, newest;
static FILE *truth, *file;

static uint32_t random_number(void)
{
    static uint32_t state = 7;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* The command of the host. */
static void command_snapshot(void)
{
    static const uint8_t bytes[RTO_STREAM_COMMAND_SIZE] = {0xC5, 0x5C, 10, 0xD4};

    rto_stream_take(&stream, bytes, sizeof(bytes));
}

/* Records an event. Returns false if the model and the ring differ. `is_sending` says whether a
   snapshot is being read: the event itself is then lost if there is no room. */
static bool event(bool is_sending)
{
    const uint32_t choice = random_number() % 8u;
    const uint32_t lost = rto_stream_lost(&stream);
    struct event event = {0, RTO_STREAM_RESUME, 0x20001000u, 0, 1};
    uint32_t more;

    event.time = now;
    if (choice < 3u) {
        event.operand += 0x100u * (random_number() % 4u);
        rto_stream_resume(&stream, event.operand);
    } else if (choice < 5u) {
        event.kind = RTO_STREAM_ISR_ENTER;
        event.operand = random_number() % 200u;
        rto_stream_isr_enter(&stream, (uint8_t)event.operand);
    } else if (choice < 7u) {
        event.kind = RTO_STREAM_MARKER;
        event.value = random_number();
        rto_stream_marker(&stream, event.operand, event.value);
    } else {
        const uint32_t format[4] = {event.operand, random_number(), 1, 2};

        event.kind = RTO_STREAM_FORMATTED;
        event.value = format[1];
        event.entries = 2;
        rto_stream_format(&stream, format, 4);
    }
    more = rto_stream_lost(&stream) - lost;
    if (is_sending) {
        if (more == 0) {
            kept[newest++ % KEPT] = event;
        }
        return more == 0 || more == event.entries;
    }
    kept[newest++ % KEPT] = event;
    while (more > 0 && oldest != newest && kept[oldest % KEPT].entries <= more) {
        more -= kept[oldest++ % KEPT].entries;
    }
    return more == 0 && newest - oldest <= KEPT;
}

/* The events of a snapshot. */
static void expect_snapshot(void)
{
    for (; oldest != newest; oldest++) {
        const struct event *const event = &kept[oldest % KEPT];

        fprintf(truth, "%lu%08lu %u %lu %lu\n", (unsigned long)(event->time / 100000000u),
                (unsigned long)(event->time % 100000000u), (unsigned)event->kind,
                (unsigned long)event->operand, (unsigned long)event->value);
    }
}

static bool advance(void)
{
    const uint32_t pause = random_number() % 256u;
    static uint8_t bytes[RTO_STREAM_MIN_READ];

    now += pause < 250u ? 1u + random_number() % 1000u : 1u + random_number() % 900000000u;
    counter = (uint32_t)now;
    /* Nothing comes without a snapshot, and time passes. */
    return rto_stream_read(&stream, bytes, sizeof(bytes)) == 0;
}

int main(void)
{
    static uint8_t bytes[1000];
    size_t length;
    unsigned number, snapshots = 0;

    truth = fopen("flight.txt", "w");
    file = fopen("flight.cswl", "wb");
    if (truth == NULL || file == NULL
        || !rto_stream_start(&stream, words, WORDS, &counter, 1000000)
        || !rto_stream_name(&stream, 0x20001000u, "camera")) {
        return 1;
    }
    rto_stream_snapshot(&stream);
    rto_stream_hold(&stream, true);
    rto_stream_snapshot(&stream);
    if (rto_stream_read(&stream, bytes, sizeof(bytes)) != 0) {
        return 2;
    }
    for (number = 0; number < EVENTS; number++) {
        if (!advance() || !event(false)) {
            return 3;
        }
        /* The first snapshot is early, so that nothing is missing before it. */
        if (number == 9u || random_number() % 300u == 0) {
            expect_snapshot();
            if (snapshots++ % 2u == 0) {
                rto_stream_snapshot(&stream);
            } else {
                command_snapshot();
            }
            while ((length = rto_stream_read(&stream, bytes, RTO_STREAM_MIN_READ
                                                                 + random_number() % 700u)) > 0) {
                unsigned more = stream.snapshot_end == NULL ? 0 : random_number() % 40u;

                if (fwrite(bytes, 1, length, file) != length) {
                    return 4;
                }
                while (more-- > 0) {
                    now += 5;
                    counter = (uint32_t)now;
                    if (!event(true)) {
                        return 5;
                    }
                }
            }
        }
    }
    /* A stream that no longer holds its entries sends all of them. */
    if (!event(false)) {
        return 6;
    }
    expect_snapshot();
    rto_stream_hold(&stream, false);
    while ((length = rto_stream_read(&stream, bytes, sizeof(bytes))) > 0) {
        if (fwrite(bytes, 1, length, file) != length) {
            return 7;
        }
    }
    fprintf(truth, "lost %lu\n", (unsigned long)rto_stream_lost(&stream));
    return fclose(file) == 0 && fclose(truth) == 0 && snapshots > 20u ? 0 : 8;
}
