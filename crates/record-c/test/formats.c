/* Formatted events of all recorders, and code addresses in a compact stream. Runs on a microcontroller with semihosting. */
#include <inttypes.h>
#include <stdio.h>

#include "rtoscope.h"
#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_stream.h"

static const char camera[] = "camera";

static int save(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");

    return file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0;
}

/* Where a thread continues, and where it waits. */
static void resumed(void)
{
    (void)camera;
}

static void waiting(void)
{
    (void)save("", camera, 0);
}

int main(void)
{
    static uint8_t ring[512];
    static uint8_t stream[512];
    static uintptr_t memory[200];
    static uint32_t words[200];
    static struct rto_stream compact;
    static uint8_t packed[1000];
    static volatile uint32_t counter;
    size_t length, packed_length;

    if (!rto_rkh_start(ring, sizeof(ring)) || !rto_rkh_filter(RTO_RKH_ALL_EVENTS, 0, true)
        || rto_threadx_enable(memory, sizeof(memory), 1) != RTO_SUCCESS
        || !rto_stream_start(&compact, words, 200, &counter, 1000000)) {
        return 1;
    }
    for (uint32_t number = 0; number < 3; number++) {
        RTO_RKH_FMT("queue %" PRIu32 " of %s: %d%%", number, camera, -5 * (int)number);
        RTO_THREADX_FMT("frame %" PRIu32 " from %s", number, camera);
        counter = number * 10u;
        RTO_STREAM_FMT(&compact, "frame %" PRIu32 " from %s", number, camera);
    }
    RTO_RKH_FMT("plain");
    RTO_RKH_FMT("%c %x %x %x %x %x %x %x", 'e', 1u, 2u, 3u, 4u, 5u, 6u, 7u);
    RTO_THREADX_FMT("done");
    RTO_STREAM_FMT(&compact, "plain");
    RTO_STREAM_FMT(&compact, "%c %x %x %x %x %x %x %x", 'e', 1u, 2u, 3u, 4u, 5u, 6u, 7u);
    rto_stream_resume_at(&compact, 1, (uint32_t)(uintptr_t)resumed);
    rto_stream_wait_at(&compact, RTO_STREAM_WAIT_QUEUE, (uint32_t)(uintptr_t)waiting + 2u);
    packed_length = rto_stream_read(&compact, packed, sizeof(packed));
    length = rto_rkh_take(stream, sizeof(stream));
    return save("formats.rkh", stream, length) || save("formats.cswl", packed, packed_length)
        || save("formats.trx", memory, sizeof(memory));
}
