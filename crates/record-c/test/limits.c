/* Invalid calls of the recorders, and the entries of a stopped log. Runs on a PC and,
   with semihosting, on a microcontroller. */
#include <stdio.h>
#include <string.h>

#include "rtoscope.h"

static int failed;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: not %s\n", __LINE__, #condition); \
            failed = 1; \
        } \
    } while (0)

enum { SLOTS = 4 };

static rto_counter ticks;
static const char worker[] = "worker";
static struct rto_cswitch_entry entries[SLOTS + 1];

/* A log that was never initialised. */
static rto_cswitch blank;

static void misused_logs(void)
{
    static rto_cswitch log;
    uint8_t *const bytes = (uint8_t *)entries;

    CHECK(!rto_cswitch_start(&blank, entries, SLOTS, true));
    CHECK(!rto_cswitch_start(NULL, entries, SLOTS, true));
    rto_cswitch_record(RTO_SYNC_RESUME, &blank, 0, worker);
    rto_cswitch_sleep(&blank, 0, worker);
    rto_cswitch_wake(&blank, 0, worker);
    CHECK(rto_cswitch_idle_ticks(&blank) == 0);
    CHECK(!rto_cswitch_stop(&blank, NULL));

    rto_cswitch_init(NULL, &ticks);
    rto_cswitch_init(&log, &ticks);
    CHECK(!rto_cswitch_start(&log, NULL, SLOTS, false));
    for (size_t off = 1; off < sizeof(void *); off++) {
        void *const buffer = bytes + off;

        CHECK(!rto_cswitch_start(&log, buffer, SLOTS, false));
    }
    CHECK(!rto_cswitch_start(&log, entries, SIZE_MAX / 8, false));
    rto_cswitch_record(RTO_SYNC_RESUME, &log, 0, worker);
    CHECK(rto_cswitch_start(&log, entries, SLOTS, false));
    CHECK(!rto_cswitch_start(&log, entries, SLOTS, false));
    CHECK(rto_cswitch_stop(&log, NULL));
}

static void misused_stream(void)
{
    static uint8_t ring[512];
    const struct rto_rkh_item item = {RTO_RKH_U32, 0, 7, NULL};
    const struct rto_rkh_item memory = {RTO_RKH_MEM, 0, 3, NULL};
    size_t available;

    CHECK(!rto_rkh_start(NULL, sizeof ring));
    CHECK(rto_rkh_start(ring, sizeof ring));
    CHECK(rto_rkh_filter(RTO_RKH_ALL_EVENTS, 0, true));
    available = rto_rkh_available();
    CHECK(!rto_rkh_user_event(32, &item, 1));
    CHECK(!rto_rkh_user_event(255, &item, 1));
    CHECK(!rto_rkh_user_event(256, &item, 1));
    CHECK(!rto_rkh_user_event(RTO_RKH_TE_USER - 1, &item, 1));
    CHECK(!rto_rkh_user_event(RTO_RKH_TE_USER + 32, &item, 1));
    CHECK(!rto_rkh_record(0x163, 0, NULL, 0, NULL));
    CHECK(!rto_rkh_user_event(0, NULL, 3));
    CHECK(!rto_rkh_user_event(0, &memory, 1));
    CHECK(!rto_rkh_record(0x63, 0, NULL, 2, NULL));
    CHECK(rto_rkh_available() == available);
    CHECK(rto_rkh_user_event(31, &item, 1));
    CHECK(rto_rkh_user_event(RTO_RKH_TE_USER, &item, 1));
    CHECK(rto_rkh_user_event(RTO_RKH_TE_USER + 31, &item, 1));
    CHECK(rto_rkh_user_event(0, NULL, 0));
    CHECK(rto_rkh_available() > available);
}

/* Receives a frame; whether its last byte completes a message. */
static bool received(const uint8_t *frame, size_t count, struct rto_rkh_message *message)
{
    for (size_t number = 0; number + 1 < count; number++) {
        CHECK(!rto_rkh_receive(frame[number], NULL));
    }
    return rto_rkh_receive(frame[count - 1], message);
}

static void messages_of_the_host(void)
{
    static const uint8_t fail[] = {0x7E, 0xE9, 7, 0, 0, 0, 'n', 'o', 0, 0x33, 0x7E};
    static const uint8_t off[] = {0x7E, 0xF0, 0, 1, 0, 0, 0, 0, 0x0F, 0x7E};
    static const uint8_t no_group[] = {0x7E, 0xF0, 1, 2, 9, 0, 0, 0, 0x04, 0x7E};
    static const uint8_t damaged[] = {0x7E, 0xF0, 1, 1, 0, 0, 0, 0, 0x0F, 0x7E};
    struct rto_rkh_message message;

    CHECK(received(fail, sizeof fail, &message));
    CHECK(message.kind == RTO_RKH_UT_FAIL && message.line == 7);
    CHECK(strcmp(message.text, "no") == 0);
    CHECK(rto_rkh_filter(RTO_RKH_ALL_EVENTS, 0, true));
    CHECK(rto_rkh_passes(RTO_RKH_TE_USER, -1, -1));
    CHECK(received(off, sizeof off, &message));
    CHECK(message.kind == RTO_RKH_FILTER_SET);
    CHECK(!rto_rkh_passes(RTO_RKH_TE_USER, -1, -1));
    CHECK(received(no_group, sizeof no_group, &message));
    CHECK(message.kind == RTO_RKH_FILTER_INVALID);
    CHECK(received(damaged, sizeof damaged, &message));
    CHECK(message.kind == RTO_RKH_MESSAGE_INVALID);
}

/* A CSWL file in memory. */
struct file {
    uint8_t bytes[1024];
    size_t length;
};

static void to_memory(void *user, const uint8_t *bytes, size_t count)
{
    struct file *const file = user;

    if (count <= sizeof file->bytes - file->length) {
        memcpy(file->bytes + file->length, bytes, count);
        file->length += count;
    }
}

static uint64_t save(const rto_cswitch *log, struct file *file)
{
    const struct rto_memory_region constants = {worker, worker + sizeof worker};
    const struct rto_cswitch_save_options options = {
        .logs = &log, .cores = 1, .counter_bits = 32, .frequency_hz = 1000000,
        .readable = &constants, .regions = 1,
    };

    file->length = 0;
    return rto_cswitch_save(&options, to_memory, file);
}

static void saved_after_stop(bool cyclic)
{
    static rto_cswitch log;
    static struct file before, after, later;

    rto_cswitch_init(&log, &ticks);
    CHECK(rto_cswitch_start(&log, entries, SLOTS, cyclic));
    for (uint32_t number = 0; number < SLOTS + 3; number++) {
        ticks = number;
        rto_cswitch_record(RTO_SYNC_RESUME, &log, number, worker);
    }
    CHECK(save(&log, &before) == before.length);
    CHECK(before.length > SLOTS * sizeof entries[0]);
    CHECK(rto_cswitch_stop(&log, NULL));
    CHECK(!rto_cswitch_stop(&log, NULL));
    CHECK(!rto_cswitch_snapshot(&log, NULL));
    rto_cswitch_record(RTO_SYNC_RESUME, &log, 99, worker);
    CHECK(save(&log, &after) == after.length);
    CHECK(after.length == before.length
          && memcmp(after.bytes, before.bytes, after.length) == 0);

    /* A new session replaces the finished one. */
    CHECK(rto_cswitch_start(&log, entries, SLOTS, cyclic));
    save(&log, &later);
    CHECK(later.length < after.length);
    CHECK(rto_cswitch_stop(&log, NULL));
    CHECK(save(&blank, &later) == later.length && later.length > 0);
    CHECK(rto_cswitch_save(NULL, to_memory, &later) == 0);
}

static uint64_t saved_bytes;

static void count(void *user, const uint8_t *bytes, size_t count)
{
    (void)user;
    (void)bytes;
    saved_bytes += count;
}

/* A log in memory that survives a reset. */
static void black_box(void)
{
    static uint64_t memory[18 + 6 * SLOTS];
    static rto_cswitch log;
    const struct rto_black_box box = {memory, sizeof memory};
    const struct rto_black_box none = {NULL, sizeof memory};
    struct rto_fault fault = {0};

    CHECK(rto_black_box_recover(box, NULL) == 0);
    CHECK(!rto_black_box_start_cswitch(box, &blank, true));
    CHECK(!rto_black_box_start_cswitch(none, &log, true));
    rto_cswitch_init(&log, &ticks);
    CHECK(rto_black_box_start_cswitch(box, &log, true));
    rto_cswitch_record(RTO_SYNC_RESUME, &log, 1, worker);
    fault.origin = 3;
    fault.pc = 0x1234;
    fault.words[1] = 5;
    CHECK(rto_black_box_freeze_cswitch(box, &log, &fault));
    CHECK(!rto_black_box_freeze_cswitch(box, &log, &fault));
    memset(&fault, 0, sizeof fault);
    CHECK(rto_black_box_recover(box, &fault) == 1);
    CHECK(fault.pc == 0x1234 && fault.words[1] == 5);
    CHECK(rto_black_box_save(box, 0, 32, NULL, 0, count, NULL) == saved_bytes);
    CHECK(saved_bytes > 144);
    rto_black_box_discard(box);
    CHECK(rto_black_box_recover(box, NULL) == 0);
}

int main(void)
{
    black_box();
    misused_logs();
    misused_stream();
    messages_of_the_host();
    saved_after_stop(false);
    saved_after_stop(true);
    return failed;
}
