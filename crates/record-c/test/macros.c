/* RKH's macros and constants, masks for kinds of entries, and the callback. Runs on a PC
   and, with semihosting, on a microcontroller. */
#include <stdio.h>

static unsigned kinds;
static unsigned callbacks;

#include <stdint.h>
static void after(uint32_t kind, uintptr_t address, const char *name);

#define RTO_CSWITCH_KINDS kinds
#define RTO_CSWITCH_AFTER(kind, log, address, name) after(kind, address, name)
#include "rtoscope_rkhtrc.h"

static int failed;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: not %s\n", __LINE__, #condition); \
            failed = 1; \
        } \
    } while (0)

static void after(uint32_t kind, uintptr_t address, const char *name)
{
    (void)kind;
    (void)address;
    (void)name;
    callbacks++;
}

static void masks(void)
{
    static rto_counter ticks;
    static struct rto_cswitch_entry entries[8];
    static rto_cswitch log;
    struct rto_cswitch_position position;

    rto_cswitch_init(&log, &ticks);
    CHECK(rto_cswitch_start(&log, entries, 8, false));
    kinds = 1u << RTO_ISR_ENTER | 1u << RTO_SYNC_RESUME;
    rto_cswitch_isr_enter(&log, 1);
    rto_cswitch_isr_exit(&log, 1);
    rto_cswitch_interrupts_disabled(&log, true, 2, "a");
    rto_cswitch_record(RTO_SYNC_RESUME, &log, 2, "a");
    rto_cswitch_record(RTO_ASYNC_RESUME, &log, 2, "a");
    CHECK(rto_cswitch_snapshot(&log, &position));
    CHECK(position.written == 2);
    CHECK(callbacks == 5);
    kinds = 0xFFFFFFFFu;
    rto_cswitch_interrupts_restored(&log, true, 2, "a");
    CHECK(entries[2].kind == (RTO_INT_DISABLE | RTO_PREVIOUSLY_DISABLED));
    CHECK(rto_cswitch_stop(&log, NULL));
}

/* The examples of RKH's manual. */
typedef struct { uint16_t e; } event_t;
typedef struct { uint8_t prio; } actor_t;

#undef RKH_SMA_ACCESS_CONST
#define RKH_SMA_ACCESS_CONST(actObj_, member_) ((actObj_)->member_)
#define RKH_TE_QUE_INITS RKH_TE_QUE_INIT
#undef RKH_TR_QUE_INIT
#define RKH_TR_QUE_INIT(q, ao, nelem) \
    RKH_TRC_BEGIN_WOAOSIG(RKH_TE_QUE_INITS) \
    RKH_TRC_SYM(q); \
    RKH_TRC_SYM(ao); \
    RKH_TRC_NE(nelem); \
    RKH_TRC_END()
#undef RKH_TR_SMA_FIFO
#define RKH_TR_SMA_FIFO(actObj_, evt_, sender_, poolID_, refCntr_, \
                        nElem_, nMin_) \
    RKH_TRC_BEGIN_NOCRIT(RKH_TE_SMA_FIFO, \
                         RKH_SMA_ACCESS_CONST(actObj_, prio), \
                         (evt_)->e) \
    RKH_TRC_SYM(actObj_); \
    RKH_TRC_SIG((evt_)->e); \
    RKH_TRC_SNDR(sender_); \
    RKH_TRC_UI8(poolID_); \
    RKH_TRC_UI8(refCntr_); \
    RKH_TRC_NE(nElem_); \
    RKH_TRC_QUE_NMIN(nMin_); \
    RKH_TRC_END_NOCRIT()

enum {
    LOWPWR_USR_TRACE = RKH_TE_USER,
    DISCONNECTED_USR_TRACE
};

static void some_function(void)
{
    uint8_t d1 = 255;
    uint16_t d2 = 65535;
    uint32_t d3 = 65535;
    const char *str = "hello";

    RKH_TRC_USR_BEGIN(LOWPWR_USR_TRACE)
        RKH_TUSR_UI8(3, d1);
        RKH_TUSR_UI16(4, d2);
        RKH_TUSR_UI32(5, d3);
        RKH_TUSR_STR(str);
        RKH_TUSR_MEM(&d2, sizeof(d2));
    RKH_TRC_USR_END();
}

static void macros(void)
{
    static uint8_t ring[512];
    static uint8_t stream[512];
    const actor_t actor = {3};
    const event_t event = {7};
    int queue = 0;
    const uint32_t numbers[] = {(uint32_t)(uintptr_t)&actor, 7, (uint32_t)(uintptr_t)&queue,
                                1, 2, 3, 4};
    size_t macro_length, length;
    FILE *file;

    CHECK(rto_rkh_start(ring, sizeof(ring)));
    CHECK(rto_rkh_filter(RTO_RKH_ALL_EVENTS, 0, true));
    length = rto_rkh_available();
    RKH_TR_SMA_FIFO(&actor, &event, &queue, 1, 2, 3, 4);
    CHECK(rto_rkh_available() == length);
    CHECK(rto_rkh_filter(RTO_RKH_OBJECT, 3, true));
    CHECK(rto_rkh_filter(RTO_RKH_SIGNAL, 7, true));
    RKH_TR_SMA_FIFO(&actor, &event, &queue, 1, 2, 3, 4);
    macro_length = rto_rkh_available() - length;
    CHECK(macro_length > 0);
    CHECK(rto_rkh_record(RTO_RKH_TE_SMA_FIFO, 3, numbers, 7, NULL));
    RKH_TR_QUE_INIT(&queue, &actor, 8);
    RKH_TR_QUE_FIFO(&queue, 8, 9);
    RKH_TR_SM_TRN(&actor, &queue, &queue);
    some_function();
    /* A record of the application's own: declared by the host. */
    RKH_TRC_BEGIN_WOAOSIG(RKH_TE_USER + 5)
        RKH_TRC_UI16(1200);
        RKH_TRC_SYM(&queue);
        RKH_TRC_STR("rpm");
    RKH_TRC_END();
    length = rto_rkh_take(stream, sizeof(stream));
    CHECK(rto_rkh_lost() == 0);
    rto_rkh_stop();
    file = fopen("macros.rkh", "wb");
    CHECK(file != NULL && fwrite(stream, 1, length, file) == length);
    CHECK(file != NULL && fclose(file) == 0);
}

int main(void)
{
    masks();
    macros();
    return failed;
}
