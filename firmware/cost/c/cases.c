/* Records of rtoscope's C interface. */

#include "cost.h"
#include "rtoscope.h"
#include "rtoscope_rkhtrc.h"
#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_stream.h"
#define RTO_RTT_IMPLEMENTATION
#include "rtoscope_rtt.h"

#define COUNTER ((const rto_counter *)0xE0001004u)

/* An address that the compiler cannot trace to its object. */
static inline __attribute__((always_inline)) void *opaque(void *address)
{
    __asm__ volatile("" : "+r"(address));
    return address;
}

/* The context-switch log. */

#define CSWITCH_CASE(name_) \
    CASE void name_(uintptr_t address, const char *name) \
    { \
        rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, address, name); \
    }

CSWITCH_CASE(cost_cswitch_call)
CSWITCH_CASE(cost_cswitch_wrap)
CSWITCH_CASE(cost_cswitch_off)

/* In the midst of other code: between two labels. At the first one is an instruction
   without effect. */
#define MARK(symbol_) \
    __asm__ volatile(".global " symbol_ "\n.type " symbol_ ", %function\n.thumb_func\n" \
                     symbol_ ": nop")

/* The loop, which ends after its first turn, keeps the compiler from copying the second
   label. */
#define INSIDE(name_) \
    static __attribute__((noinline)) void name_(uintptr_t address, const char *name) \
    { \
        unsigned turns = 1; \
        do { \
            MARK("cost_from_" #name_); \
            rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, address, name); \
            MARK("cost_to_" #name_); \
            __asm__ volatile("" : "+r"(turns)); \
        } while (--turns != 0); \
    }

INSIDE(cswitch_inside)
INSIDE(cswitch_off_inside)

CASE void cost_cswitch_sleep(uintptr_t address, const char *name)
{
    rto_cswitch_sleep(&rtoscope_cswitch_log, address, name);
}

CASE void cost_cswitch_isr_enter(uintptr_t handler)
{
    rto_cswitch_isr_enter(&rtoscope_cswitch_log, handler);
}

CASE void cost_cswitch_marker(const char *name, uint32_t value)
{
    rto_cswitch_marker(&rtoscope_cswitch_log, name, value);
}

#define ENTRIES 5

static struct rto_cswitch_entry entries[ENTRIES];

static unsigned cswitch(void)
{
    struct rto_cswitch_position position;

    cost_cswitch_off(0x1000, "thread");
    cswitch_off_inside(0x1000, "thread");
    rto_cswitch_init(&rtoscope_cswitch_log, COUNTER);
    if (!rto_cswitch_start(&rtoscope_cswitch_log, opaque(entries), ENTRIES, true)) {
        return 1;
    }
    cost_cswitch_call(0x1000, "thread");
    cost_cswitch_sleep(0x1000, "idle");
    cost_cswitch_isr_enter(0x1000);
    cost_cswitch_marker("frame", 7);
    cswitch_inside(0x1000, "thread");
    cost_cswitch_wrap(0x2000, "ISR");
    return !rto_cswitch_stop(&rtoscope_cswitch_log, &position) || position.written != 6 ||
           entries[0].kind != RTO_SYNC_RESUME || entries[0].address != 0x2000 ||
           entries[1].kind != RTO_SLEEP || entries[3].kind != RTO_MARKER;
}

/* The compact stream. */

static struct rto_stream compact;

CASE void cost_stream_switch(uint32_t thread)
{
    rto_stream_resume(&compact, thread);
}

CASE void cost_stream_switch_short(uint8_t thread)
{
    rto_stream_resume_short(&compact, thread);
}

CASE void cost_stream_isr_enter(uint8_t handler)
{
    rto_stream_isr_enter(&compact, handler);
}

CASE void cost_stream_marker(uint32_t marker, uint32_t value)
{
    rto_stream_marker(&compact, marker, value);
}

CASE void cost_stream_format(uint32_t number, uint32_t count)
{
    RTO_STREAM_FMT(&compact, "queue %u has %u", (unsigned)number, (unsigned)count);
}

CASE void cost_stream_resume_at(uint32_t thread, uint32_t address)
{
    rto_stream_resume_at(&compact, thread, address);
}

/* An entry that overwrites others in a full ring. */
CASE void cost_stream_overwrite(uint32_t thread)
{
    rto_stream_resume(&compact, thread);
}

CASE void cost_stream_off(uint32_t thread)
{
    rto_stream_resume(&compact, thread);
}

/* The first entry for a long time. */
CASE void cost_stream_after_pause(uint8_t handler)
{
    rto_stream_isr_enter(&compact, handler);
}

/* Sending what was recorded: one entry, and a hundred more. */
static struct rto_stream sent;
static uint8_t container[1024];

CASE size_t cost_stream_read(void)
{
    return rto_stream_read(&sent, container, sizeof(container));
}

CASE size_t cost_hundred_stream_read(void)
{
    return rto_stream_read(&sent, container, sizeof(container));
}

CASE bool cost_stream_send(void)
{
    return rto_rtt_write(container, rto_stream_read(&sent, container, sizeof(container)));
}

CASE bool cost_hundred_stream_send(void)
{
    return rto_rtt_write(container, rto_stream_read(&sent, container, sizeof(container)));
}

/* Four entries of 4 bytes for each of 8. */
static void record_many(void)
{
    unsigned turn;

    rto_stream_isr_enter(&sent, 15);
    for (turn = 0; turn < 20; turn++) {
        rto_stream_isr_enter(&sent, 15);
        rto_stream_ready_short(&sent, 3);
        rto_stream_isr_exit(&sent, 15);
        rto_stream_wait(&sent, RTO_STREAM_WAIT_QUEUE);
        rto_stream_resume(&sent, 0x20000100);
    }
}

static unsigned sending(void)
{
    static uint32_t words[512];
    static uint8_t to_host[4096], to_target[16];
    unsigned wrong;

    rto_rtt_start(opaque(to_host), sizeof(to_host), to_target, sizeof(to_target));
    if (!rto_stream_start(&sent, opaque(words), 512, COUNTER, 25000000)) {
        return 1;
    }
    rto_stream_isr_enter(&sent, 15);
    wrong = cost_stream_read() != 24 + 28 + 36 + 4 + 20;
    record_many();
    wrong |= cost_hundred_stream_read() != 24 + 28 + 36 + 4 * 121 + 20;
    rto_stream_isr_enter(&sent, 15);
    wrong |= !cost_stream_send();
    record_many();
    wrong |= !cost_hundred_stream_send();
    return wrong | (rto_stream_pending(&sent) != 0);
}

static unsigned compact_stream(void)
{
    static uint32_t words[64];
    static uint8_t bytes[512];
    unsigned wrong, entry;

    cost_stream_off(0x20000100);
    if (!rto_stream_start(&compact, opaque(words), 64, COUNTER, 25000000)) {
        return 1;
    }
    cost_stream_switch(0x20000100);
    cost_stream_switch_short(7);
    cost_stream_isr_enter(15);
    cost_stream_marker(0x1000, 7);
    /* Two words, one, one and three. */
    wrong = words[1] != 0x20000100 || (words[2] & 0x3FFF) != (RTO_STREAM_RESUME | 7 << 6) ||
            words[6] != 7 || rto_stream_read(&compact, bytes, sizeof(bytes)) != 24 + 28 + 36 + 28 + 20;
    cost_stream_format(3, 5);
    cost_stream_resume_at(0x20000100, 0x1000);
    /* Two entries of three words, and one. */
    wrong |= words[9] != 3 || words[11] != 5 || words[15] != 0x1000;
    compact.last -= 1u << 20;
    cost_stream_after_pause(15);
    wrong |= words[16] != (RTO_STREAM_ISR_ENTER | 0x20 | 1u << 26) || words[17] != 15;
    rto_stream_hold(&compact, true);
    /* The ring is full; the next entry has no room. */
    for (entry = 0; entry < 44; entry++) {
        rto_stream_isr_exit(&compact, 7);
    }
    wrong |= rto_stream_lost(&compact) != 0;
    cost_stream_overwrite(0x20000200);
    return wrong | (rto_stream_lost(&compact) == 0);
}

/* The ThreadX event trace. */

#define TXTB_CASE(name_) \
    CASE void name_(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth) \
    { \
        rto_threadx_insert(RTO_TX_TRACE_QUEUE_EVENTS, RTO_TX_TRACE_QUEUE_SEND, first, second, \
                           third, fourth); \
    }

TXTB_CASE(cost_txtb_thread)
TXTB_CASE(cost_txtb_wrap)
TXTB_CASE(cost_txtb_filtered)
TXTB_CASE(cost_txtb_disabled)

CASE uint32_t cost_txtb_user(uint32_t event, uint32_t first, uint32_t second, uint32_t third)
{
    return rto_threadx_user_event(event, first, second, third, 0);
}

CASE void cost_txtb_isr_enter(uint32_t number)
{
    rto_threadx_isr_enter(number);
}

CASE void cost_txtb_resume(uintptr_t thread, uint32_t previous, uintptr_t next)
{
    rto_threadx_resume(thread, previous, next);
}

/* Control header, registry entries and events; the recorder adds two events. */
#define REGISTRY 1
#define EVENTS 8

static uint32_t trace[(48 + REGISTRY * 48 + EVENTS * 32) / 4];

static uint32_t event(unsigned number)
{
    return trace[(48 + REGISTRY * 48 + number * 32) / 4 + 2];
}

static unsigned threadx(void)
{
    unsigned wrong = 0;

    cost_txtb_disabled(1, 2, 3, 4);
    wrong |= rto_threadx_enable(opaque(trace), sizeof(trace), REGISTRY);
    rto_threadx_enter_thread(0x20000100, 7, 7);
    cost_txtb_thread(1, 2, 3, 4);
    wrong |= event(2) ^ RTO_TX_TRACE_QUEUE_SEND;
    wrong |= cost_txtb_user(4096, 1, 2, 3);
    cost_txtb_isr_enter(15);
    rto_threadx_isr_exit(15);
    cost_txtb_resume(0x20000200, RTO_TX_QUEUE_SUSP, 0x20000100);
    wrong |= event(3) ^ 4096;
    wrong |= event(6) ^ 1;
    cost_txtb_wrap(1, 2, 3, 4);
    wrong |= event(7) ^ RTO_TX_TRACE_QUEUE_SEND;
    rto_threadx_event_filter(RTO_TX_TRACE_QUEUE_EVENTS);
    cost_txtb_filtered(1, 2, 3, 4);
    wrong |= event(0) ^ 6;
    return wrong;
}

/* RKH's trace stream. */

CASE void cost_rkh_filter(uint32_t object, uint32_t state) { RKH_TR_SM_INIT(object, state); }
CASE void cost_rkh_escaped(uint32_t object, uint32_t state) { RKH_TR_SM_INIT(object, state); }
CASE void cost_rkh_wrap(uint32_t object, uint32_t state) { RKH_TR_SM_INIT(object, state); }
CASE void cost_rkh_filtered(uint32_t object, uint32_t state) { RKH_TR_SM_INIT(object, state); }

/* A record with an event, as RKH's macros take it. */
struct event {
    uint16_t e;
};

CASE void cost_rkh_dch(uint32_t object, const struct event *event, uint32_t state)
{
    RKH_TR_SM_DCH(object, event, state);
}

CASE bool cost_rkh_by_id(const uint32_t *numbers)
{
    return rto_rkh_record(RTO_RKH_TE_SM_INIT, 0, numbers, 2, NULL);
}

CASE void cost_rkh_user(uint32_t first, uint32_t second, uint32_t third)
{
    RKH_TRC_USR_BEGIN(RKH_TE_USER)
        RKH_TUSR_UI8(3, (uint8_t)first);
        RKH_TUSR_UI16(4, (uint16_t)second);
        RKH_TUSR_UI32(5, third);
    RKH_TRC_USR_END();
}

CASE void cost_rkh_format(unsigned first, unsigned second)
{
    RTO_RKH_FMT("queue %u of %u", first, second);
}

/* Flag, id, sequence number, timestamp, two pointers, checksum. */
#define TWO_POINTERS (1 + 1 + 4 + 8 + 1 + 1)
#define LENGTH 96

static uint8_t stream[LENGTH];
static unsigned taken;

/* Takes all bytes and returns their number. */
static unsigned drain(void)
{
    uint8_t bytes[LENGTH];
    unsigned now = (unsigned)rto_rkh_take(bytes, sizeof(bytes));

    taken += now;
    return now;
}

static unsigned rkh(void)
{
    static const uint32_t numbers[] = {0x20001234, 0x5678};
    static const struct event event = {5};
    unsigned wrong = 0;

    wrong |= !rto_rkh_start(opaque(stream), sizeof(stream));
    wrong |= !rto_rkh_filter(RTO_RKH_ALL_EVENTS, 0, true);
    wrong |= !rto_rkh_filter(RTO_RKH_ALL_OBJECTS, 0, true);
    wrong |= !rto_rkh_filter(RTO_RKH_ALL_SIGNALS, 0, true);
    drain();
    cost_rkh_filter(numbers[0], numbers[1]);
    wrong |= drain() ^ TWO_POINTERS;
    wrong |= !cost_rkh_by_id(numbers);
    wrong |= drain() ^ TWO_POINTERS;
    /* The escaped record is not at the ring's end. */
    while ((taken - 1) % LENGTH > LENGTH / 3) {
        RKH_TR_SM_INIT(1, 2);
        drain();
    }
    cost_rkh_escaped(0x20007d7e, 0x7e7d);
    wrong |= drain() ^ (TWO_POINTERS + 4);
    cost_rkh_dch(numbers[0], &event, numbers[1]);
    wrong |= drain() ^ (TWO_POINTERS + 2);
    /* The flag at the start of the stream is not in the ring. */
    while ((taken - 1) % LENGTH + TWO_POINTERS <= LENGTH) {
        RKH_TR_SM_INIT(1, 2);
        drain();
    }
    cost_rkh_wrap(numbers[0], numbers[1]);
    wrong |= drain() ^ TWO_POINTERS;
    cost_rkh_user(1, 2, 3);
    wrong |= drain() ^ (TWO_POINTERS - 8 + 2 + 3 + 5);
    cost_rkh_format(1, 2);
    wrong |= !drain();
    wrong |= !rto_rkh_filter(RTO_RKH_EVENT, RTO_RKH_TE_SM_INIT, false);
    cost_rkh_filtered(numbers[0], numbers[1]);
    wrong |= drain();
    return wrong;
}

int main(void)
{
    rto_set_counter(COUNTER);
    return (cswitch() | compact_stream() | sending() | threadx() | rkh()) == 0 ? 0 : 1;
}
