/* A log that is sent while it records: 90 000 entries through a ring of 512, in containers of
   at most 1024 bytes. Runs on a PC and, with semihosting, on a microcontroller. */
#include <stdio.h>

#include "rtoscope.h"

enum { SLOTS = 512, BATCH = 100, BATCHES = 900 };

static const char *const names[] = {"camera", "writer", "idle"};

static size_t text_length(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0') {
        length++;
    }
    return length;
}

int main(void)
{
    static struct rto_cswitch_entry entries[SLOTS];
    static rto_counter ticks;
    static struct rto_cswitch_cursor cursor;
    const rto_cswitch *const logs[] = {&rtoscope_cswitch_log};
    struct rto_memory_region readable[3];
    const struct rto_cswitch_save_options options = {
        .logs = logs, .cores = 1, .counter_bits = 32, .frequency_hz = 1000000,
        .readable = readable, .regions = 3,
    };
    uint8_t bytes[1024];
    unsigned batch, entry;
    size_t length;
    FILE *const file = fopen("stream.cswl", "wb");

    for (entry = 0; entry < 3; entry++) {
        readable[entry].start = names[entry];
        readable[entry].end = names[entry] + text_length(names[entry]) + 1;
    }
    rto_cswitch_init(&rtoscope_cswitch_log, &ticks);
    if (file == NULL || rto_cswitch_read(&options, &cursor, bytes, sizeof(bytes)) != 0 ||
        !rto_cswitch_start(&rtoscope_cswitch_log, entries, SLOTS, true)) {
        return 1;
    }
    for (batch = 0; batch < BATCHES; batch++) {
        for (entry = 0; entry < BATCH; entry++) {
            ticks = ticks + 10;
            rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, 0x1000 + entry,
                               names[entry % 3]);
        }
        while ((length = rto_cswitch_read(&options, &cursor, bytes, sizeof(bytes))) > 0) {
            if (fwrite(bytes, 1, length, file) != length) {
                return 2;
            }
        }
        if (rto_cswitch_read(&options, &cursor, bytes, 255) != 0 ||
            rto_cswitch_read(&options, NULL, bytes, sizeof(bytes)) != 0) {
            return 3;
        }
    }
    return fclose(file) == 0 ? 0 : 4;
}
