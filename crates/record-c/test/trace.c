/* A trace that is sent while it records: the packets are trace.txts. The ring is lapped now and
   then. trace.txt has the number of recorded entries and of those that were overwritten. */
#include <stdio.h>

#include "rtoscope.h"

enum { OBJECTS = 6, ENTRIES = 200, BATCH = 90, BATCHES = 900, NAME_BYTES = 32 };

#define CHECK(what) \
    if (!(what)) { \
        printf("trace.c: line %d failed\n", __LINE__); \
        return 1; \
    }

static unsigned sent;

static int send(struct rto_threadx_cursor *cursor, FILE *file, size_t size)
{
    static uint8_t bytes[1024];
    size_t length;

    while ((length = rto_threadx_read(cursor, bytes, size)) > 0) {
        if (length > size || fwrite(bytes, 1, length, file) != length) {
            return 0;
        }
        sent++;
    }
    return 1;
}

int main(void)
{
    /* Header of 12 words, slots of 4 words and a name, entries of 8 words. */
    static size_t memory[12 + OBJECTS * (4 + NAME_BYTES / sizeof(size_t)) + ENTRIES * 8];
    static struct rto_threadx_cursor cursor;
    uint8_t bytes[256];
    unsigned batch, entry, recorded = 2, sent_before;
    FILE *const file = fopen("trace.txts", "wb");
    FILE *const truth = fopen("trace.txt", "w");

    CHECK(file != NULL && truth != NULL);
    CHECK(rto_threadx_read(&cursor, bytes, sizeof(bytes)) == 0);
    CHECK(rto_threadx_enable(memory, sizeof(memory), OBJECTS) == RTO_SUCCESS);
    CHECK(rto_threadx_read(NULL, bytes, sizeof(bytes)) == 0);
    CHECK(rto_threadx_read(&cursor, NULL, sizeof(bytes)) == 0);
    CHECK(rto_threadx_read(&cursor, bytes, 200) == 0);
    rto_threadx_register_thread(0x1000, "camera", 5, 0, 0);
    rto_threadx_enter_thread(0x1000, 5, 5);
    for (batch = 0; batch < BATCHES; batch++) {
        for (entry = 0; entry < BATCH; entry++) {
            CHECK(rto_threadx_user_event(4096 + entry, recorded, batch, entry, 0) == RTO_SUCCESS);
            recorded++;
        }
        if (batch == BATCHES / 2) {
            rto_threadx_register(4, 0x2000, "late", 0, 0);
        }
        if (batch % 100 < 95) {
            CHECK(send(&cursor, file, 256 + batch % 700));
        }
    }
    CHECK(send(&cursor, file, 1024));
    CHECK(rto_threadx_overwritten(&cursor) > 0 && rto_threadx_overwritten(NULL) == 0);
    fprintf(truth, "%u %lu\n", recorded, (unsigned long)rto_threadx_overwritten(&cursor));
    sent_before = sent;
    rto_threadx_resend_objects(NULL);
    rto_threadx_resend_objects(&cursor);
    CHECK(send(&cursor, file, 1024) && sent == sent_before + 1);
    CHECK(rto_threadx_disable() == RTO_SUCCESS);
    CHECK(rto_threadx_read(&cursor, bytes, sizeof(bytes)) == 0);
    CHECK(fclose(file) == 0 && fclose(truth) == 0);
    return 0;
}
