/* A compact stream of hours, on a PC: writes the stream of a simulated kernel at 100 MHz to
   standard output, and at its end the number of entries and of lost ones to standard error. The
   reader is late now and then, so that entries are lost. `cargo xtask soak` checks each of them:
   crates/decode/examples/soak computes the same events.

       soak ENTRIES */
#include <stdio.h>
#include <stdlib.h>

#define RTO_STREAM_DISABLE(before) ((before) = 0)
#define RTO_STREAM_RESTORE(before) ((void)(before))
#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_stream.h"

enum { WORDS = 1024, LATE_PERIOD = 1000000, LATE_ENTRIES = 1500 };

static uint32_t words[WORDS];
static struct rto_stream stream;
static volatile uint32_t counter;

/* Xorshift: the low bits of a product are the least random ones, which nothing uses. */
static uint64_t random_number(void)
{
    static uint64_t state = 1;

    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
}

/* Records the event that a random number describes. */
static void record(uint64_t random)
{
    const uint32_t operand = (uint32_t)(random >> 40) & 0xFFu;
    const uint32_t thread = 0x20000000u + (operand & 15u) * 0x100u;

    switch ((random >> 32) & 63u) {
    case 0:
        rto_stream_marker_begin(&stream, 3, operand);
        break;
    case 1:
        rto_stream_marker_end(&stream, 3, operand);
        break;
    case 2: {
        const uint32_t values[4] = {0x1000, operand, thread, 7};

        rto_stream_format(&stream, values, 4);
        break;
    }
    case 3:
        rto_stream_resume_at(&stream, thread, 0x08000000u + operand);
        break;
    case 4:
    case 5:
        rto_stream_idle(&stream);
        break;
    case 6:
        rto_stream_wait_at(&stream, RTO_STREAM_WAIT_QUEUE, 0x08000001u + operand);
        break;
    default:
        switch ((random >> 48) % 6u) {
        case 0:
            rto_stream_resume(&stream, thread);
            break;
        case 1:
            rto_stream_resume_short(&stream, (uint8_t)operand);
            break;
        case 2:
            rto_stream_ready_short(&stream, (uint8_t)operand);
            break;
        case 3:
            rto_stream_wait(&stream, RTO_STREAM_WAIT_SEMAPHORE);
            break;
        case 4:
            rto_stream_isr_enter(&stream, (uint8_t)operand);
            break;
        default:
            rto_stream_isr_exit(&stream, (uint8_t)operand);
            break;
        }
    }
}

int main(int argc, char **argv)
{
    static uint8_t bytes[4096];
    const uint64_t events = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t event, now = 0;

    if (events == 0 || !rto_stream_start(&stream, words, WORDS, &counter, 100000000)
        || !rto_stream_name(&stream, 0x20000000u, "camera")) {
        return 1;
    }
    for (event = 0; event <= events; event++) {
        const uint64_t random = random_number();

        /* 15 000 in a second, now and then a pause of up to 2.7 s. */
        now += 1u + (random >> 16) % 13331u;
        if ((random >> 4 & 0xFFFFFu) == 0) {
            now += random >> 36;
        }
        counter = (uint32_t)now;
        record(random);
        if (event == events
            || (random >> 58 == 0 && event % LATE_PERIOD >= (uint64_t)LATE_ENTRIES)) {
            size_t length;

            while ((length = rto_stream_read(&stream, bytes, sizeof(bytes))) > 0) {
                if (fwrite(bytes, 1, length, stdout) != length) {
                    return 2;
                }
            }
        }
    }
    fprintf(stderr, "%llu %lu\n", (unsigned long long)events + 1u,
            (unsigned long)rto_stream_lost(&stream));
    return fflush(stdout) == 0 ? 0 : 3;
}
