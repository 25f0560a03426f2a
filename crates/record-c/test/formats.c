/* Formatted events of both recorders. Runs on a microcontroller with semihosting. */
#include <inttypes.h>
#include <stdio.h>

#include "rtoscope.h"

static const char camera[] = "camera";

static int save(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");

    return file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0;
}

int main(void)
{
    static uint8_t ring[512];
    static uint8_t stream[512];
    static uintptr_t memory[200];
    size_t length;

    if (!rto_rkh_start(ring, sizeof(ring)) || !rto_rkh_filter(RTO_RKH_ALL_EVENTS, 0, true)
        || rto_threadx_enable(memory, sizeof(memory), 1) != RTO_SUCCESS) {
        return 1;
    }
    for (uint32_t number = 0; number < 3; number++) {
        RTO_RKH_FMT("queue %" PRIu32 " of %s: %d%%", number, camera, -5 * (int)number);
        RTO_THREADX_FMT("frame %" PRIu32 " from %s", number, camera);
    }
    RTO_RKH_FMT("plain");
    RTO_RKH_FMT("%c %x %x %x %x %x %x %x", 'e', 1u, 2u, 3u, 4u, 5u, 6u, 7u);
    RTO_THREADX_FMT("done");
    length = rto_rkh_take(stream, sizeof(stream));
    return save("formats.rkh", stream, length) || save("formats.trx", memory, sizeof(memory));
}
