#define RTO_FREERTOS_IMPLEMENTATION
#include "recorder.h"
#include "board.h"

uint8_t ucHeap[configTOTAL_HEAP_SIZE] __attribute__((aligned(16)));

#if RTO_FREERTOS_RECORDER == RTO_FREERTOS_STREAM

#ifdef RTT
#define RTO_RTT_IMPLEMENTATION
#include "rtoscope_rtt.h"
#endif

static uint32_t words[16384];

void recorder_start(void)
{
#ifdef RTT
    static uint8_t to_host[65536], to_target[64];

    rto_rtt_start(to_host, sizeof(to_host), to_target, sizeof(to_target));
#endif
    (void)rto_freertos_start(words, sizeof(words) / sizeof(words[0]), COUNTER, COUNTER_HZ);
    if (board_interrupt() != 0) {
        (void)rto_stream_name_handler(&rto_freertos.stream, board_interrupt(), "sample");
    }
}

/* Sends at most `most` containers, while `least` bytes wait: handlers that record meanwhile would keep
   the loop from its end. */
static void transfer(size_t least, unsigned most)
{
    static uint8_t bytes[2048];
    size_t count;

#ifdef RTT
    /* While there is no room, entries stay in the ring. */
    for (; most > 0 && rto_stream_pending(&rto_freertos.stream) >= least
           && rto_rtt_room() >= sizeof(bytes); most--) {
        count = rto_stream_read(&rto_freertos.stream, bytes, sizeof(bytes));
        (void)rto_rtt_write(bytes, count);
    }
    while ((count = rto_rtt_read(bytes, sizeof(bytes))) > 0) {
        rto_stream_take(&rto_freertos.stream, bytes, count);
    }
#else
    size_t at;
    int received;

    for (; most > 0 && rto_stream_pending(&rto_freertos.stream) >= least; most--) {
        count = rto_stream_read(&rto_freertos.stream, bytes, sizeof(bytes));
        for (at = 0; at < count; at++) {
            board_send(bytes[at]);
        }
    }
    while ((received = board_receive()) >= 0) {
        const uint8_t byte = (uint8_t)received;

        rto_stream_take(&rto_freertos.stream, &byte, 1);
    }
#endif
}

/* What does not fill half a container waits for another call. */
void recorder_transfer(void)
{
    static unsigned turns;

    transfer(++turns % 20u == 0 ? 0 : 1024, 4);
}

void recorder_end(void)
{
    rto_stream_stop(&rto_freertos.stream);
    while (rto_stream_pending(&rto_freertos.stream) > 0) {
        transfer(0, 4);
    }
}

uint32_t recorder_lost(void)
{
    return rto_stream_lost(&rto_freertos.stream);
}

#elif RTO_FREERTOS_RECORDER == RTO_FREERTOS_CSWITCH

/* A ring would overwrite the start: the log holds all entries of the run. */
static struct rto_cswitch_entry entries[65536];
static uint8_t file[sizeof(entries) + 65536];
static size_t file_length;

static void append(void *user, const uint8_t *bytes, size_t count)
{
    size_t at;

    (void)user;
    for (at = 0; at < count && file_length < sizeof(file); at++) {
        file[file_length++] = bytes[at];
    }
}

void recorder_start(void)
{
    (void)rto_freertos_start(entries, sizeof(entries) / sizeof(entries[0]), COUNTER, false);
}

void recorder_transfer(void)
{
}

void recorder_end(void)
{
    /* Names of tasks are in the heap, those of markers are constants. */
    static const rto_cswitch *const logs[] = {&rtoscope_cswitch_log};
    const struct rto_memory_region readable[2] = {
        {(const char *)ucHeap, (const char *)ucHeap + sizeof(ucHeap)},
        {CONSTANTS_START, CONSTANTS_END}};
    const struct rto_cswitch_save_options options = {
        .logs = logs, .cores = 1, .counter_bits = 32, .frequency_hz = COUNTER_HZ,
        .readable = readable, .regions = 2};

    (void)rto_cswitch_stop(&rtoscope_cswitch_log, NULL);
    (void)rto_cswitch_save(&options, append, NULL);
    board_write_file("log.cswl", file, file_length);
}

uint32_t recorder_lost(void)
{
    return 0;
}

#else

#ifndef TRACE_SIZE
#define TRACE_SIZE 1048576
#endif

static uintptr_t memory[TRACE_SIZE / sizeof(uintptr_t)];

void recorder_start(void)
{
    (void)rto_freertos_start(memory, sizeof(memory), 40, COUNTER);
}

void recorder_transfer(void)
{
}

void recorder_end(void)
{
    (void)rto_threadx_disable();
    board_write_file("trace.trx", memory, sizeof(memory));
}

uint32_t recorder_lost(void)
{
    return 0;
}

#endif
