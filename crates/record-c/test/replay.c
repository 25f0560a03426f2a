/* A compact stream that records what standard input says, and writes what it reads to standard
   output: the tests of the recorder in Rust compare its bytes with their own. Each action is a
   byte and two words of 32 bits, in the byte order of this machine. */
#include <stdio.h>

#define RTO_STREAM_NAMES 4
#define RTO_STREAM_DISABLE(before) ((before) = 0)
#define RTO_STREAM_RESTORE(before) ((void)(before))
#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_stream.h"

static uint32_t words[4096];
static struct rto_stream stream;
static volatile uint32_t counter;

static const char *const names[] = {"camera", "", "a name that is longer than 31 bytes", "dma"};

static bool act(unsigned action, uint32_t first, uint32_t second)
{
    static uint8_t bytes[4096];
    size_t length;

    switch (action) {
    case 0:
        rto_stream_resume(&stream, first);
        return true;
    case 1:
        rto_stream_resume_short(&stream, (uint8_t)first);
        return true;
    case 2:
        rto_stream_idle(&stream);
        return true;
    case 3:
        rto_stream_ready(&stream, first);
        return true;
    case 4:
        rto_stream_ready_short(&stream, (uint8_t)first);
        return true;
    case 5:
        rto_stream_wait(&stream, (enum rto_stream_wait_reason)first);
        return true;
    case 6:
        rto_stream_isr_enter(&stream, (uint8_t)first);
        return true;
    case 7:
        rto_stream_isr_exit(&stream, (uint8_t)first);
        return true;
    case 8:
        rto_stream_isr_return(&stream, first);
        return true;
    case 9:
        rto_stream_marker_begin(&stream, first, second);
        return true;
    case 10:
        rto_stream_marker_end(&stream, first, second);
        return true;
    case 11:
        rto_stream_marker(&stream, first, second);
        return true;
    case 12:
        counter += first;
        return true;
    case 13:
        length = rto_stream_read(&stream, bytes, first);
        return fwrite(bytes, 1, length, stdout) == length;
    case 14:
        bytes[0] = (uint8_t)first;
        rto_stream_take(&stream, bytes, 1);
        return true;
    case 15:
        (void)rto_stream_name(&stream, first, names[second % 4u]);
        return true;
    case 16:
        (void)rto_stream_name_handler(&stream, first, names[second % 4u]);
        return true;
    case 17:
        return rto_stream_start(&stream, words, first, &counter, second);
    default:
        return false;
    }
}

int main(void)
{
    uint32_t values[2];
    int action;

    while ((action = getchar()) != EOF) {
        if (fread(values, 4, 2, stdin) != 2 || !act((unsigned)action, values[0], values[1])) {
            return 1;
        }
    }
    return 0;
}
