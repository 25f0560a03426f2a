/* The state machine of RKH's demo "ahsm", an active object with a timer and a deferred event, and
   records of the application. Writes the stream to the file STREAM: of RKH's own trace module, or
   of rtoscope's in its place. A record's timestamp is its number, so that both are equal. */
#include <stdio.h>
#include <stdlib.h>
#include "rkh.h"
#include "my.h"

RKH_MODULE_NAME(demo)

#define STEPS 400u

enum { USER_STEP = RKH_TE_USER, USER_ALL };

/* RKH's trace module, as an application uses it. */

static FILE *file;
static RKH_TS_T records;

void rkh_trc_open(void)
{
    file = fopen(STREAM, "wb");
    rkh_trc_init();
    RKH_TRC_SEND_CFG(32768);
}

void rkh_trc_close(void)
{
    fclose(file);
}

RKH_TS_T rkh_trc_getts(void)
{
    return ++records;
}

void rkh_trc_flush(void)
{
    rui8_t *bytes;
    TRCQTY_T count = 512;

    while ((bytes = rkh_trc_get_block(&count)) != NULL) {
        fwrite(bytes, 1, count, file);
        count = 512;
    }
}

/* The second active object. */

typedef struct {
    RKH_SMA_T sma;
    RKH_TMR_T timer;
} Probe;

RKH_DCLR_BASIC_STATE probing, resting;

static void probe_init(Probe *me, RKH_EVT_T *event);
static void probe_timeout(Probe *me, RKH_EVT_T *event);

static RKH_ROM_STATIC_EVENT(timeout, ZERO);
static RKH_QUEUE_T deferred;
static const RKH_EVT_T *deferred_events[4];

static void probe_defer(Probe *me, RKH_EVT_T *event)
{
    (void)me;
    (void)rkh_sma_defer(&deferred, event);
}

static void probe_use(Probe *me, RKH_EVT_T *event)
{
    (void)me;
    (void)event;
}

RKH_CREATE_BASIC_STATE(probing, NULL, NULL, RKH_ROOT, NULL);
RKH_CREATE_TRANS_TABLE(probing)
    RKH_TRINT(ONE, NULL, probe_defer),
    RKH_TRREG(ZERO, NULL, probe_timeout, &resting),
RKH_END_TRANS_TABLE
RKH_CREATE_BASIC_STATE(resting, NULL, NULL, RKH_ROOT, NULL);
RKH_CREATE_TRANS_TABLE(resting)
    RKH_TRINT(ONE, NULL, probe_use),
    RKH_TRREG(ZERO, NULL, NULL, &probing),
RKH_END_TRANS_TABLE

RKH_SMA_CREATE(Probe, probe, 1, HCAL, &probing, probe_init, NULL);
RKH_SMA_DEF_PTR(probe);

static void probe_init(Probe *me, RKH_EVT_T *event)
{
    (void)event;
    RKH_TR_FWK_AO(me);
    RKH_TR_FWK_ACTOR(&me->timer, "clock");
    RKH_TR_FWK_TIMER(&me->timer);
    RKH_TR_FWK_QUEUE(&deferred);
    RKH_TR_FWK_STATE(me, &probing);
    RKH_TR_FWK_STATE(me, &resting);
    RKH_TR_FWK_FUN(probe_timeout);
    RKH_TR_FWK_EPOOL(0, "small");
    RKH_TR_FWK_TUSR(USER_STEP);
    RKH_TR_FWK_TUSR(USER_ALL);
    RKH_TMR_INIT(&me->timer, &timeout, NULL);
    RKH_TMR_PERIODIC(&me->timer, (RKH_SMA_T *)me, 3, 3);
}

static void probe_timeout(Probe *me, RKH_EVT_T *event)
{
    (void)event;
    RKH_TR_FWK_EXE_FUN(probe_timeout);
    RKH_TR_FWK_SYNC_EVT(probe_timeout, me, my);
    (void)rkh_sma_recall((RKH_SMA_T *)me, &deferred);
}

/* The application. */

static void record_step(unsigned step)
{
    static const rui8_t memory[] = {0x7D, 0x7E, 1};

    if (step % 2 == 0) {
        RKH_TRC_USR_BEGIN(USER_STEP)
            RKH_TUSR_UI16(4, (rui16_t)step);
        RKH_TRC_USR_END();
    } else {
        RKH_TRC_USR_BEGIN(USER_ALL)
            RKH_TUSR_I8(1, (ri8_t)-step);
            RKH_TUSR_UI8(2, (rui8_t)step);
            RKH_TUSR_I16(3, (ri16_t)-step);
            RKH_TUSR_I32(4, -(ri32_t)step);
            RKH_TUSR_UI32(5, step * 77777u);
            RKH_TUSR_X32(6, step * 77777u);
            RKH_TUSR_STR("step");
            RKH_TUSR_MEM(memory, sizeof(memory));
            RKH_TUSR_OBJ(probe);
            RKH_TUSR_FUN(probe_timeout);
            RKH_TUSR_SIG(ONE);
        RKH_TRC_USR_END();
    }
}

void rkh_hook_start(void)
{
}

void rkh_hook_exit(void)
{
}

void rkh_hook_timetick(void)
{
}

/* No event waits: sends the stream, and makes the next step. */
void rkh_hook_idle(void)
{
    static unsigned step;
    static uint32_t random = 1;
    MyEvt *event;

    RKH_ENA_INTERRUPT();
    RKH_TRC_FLUSH();
    if (step == STEPS) {
        RKH_TR_FWK_ASSERT((RKHROM char *)"demo", 7);
        RKH_TRC_FLUSH();
        RKH_TRC_CLOSE();
        exit(0);
    }
    step++;
    record_step(step);
    RKH_TIM_TICK(probe);
    if (step == STEPS / 2) {
        RKH_FILTER_ON_EVENT(RKH_TE_SM_STATE);
        RKH_FILTER_ON_GROUP(RKH_TG_QUE);
        RKH_FILTER_ON_SMA(probe);
        RKH_FILTER_ON_SIGNAL(TWO);
    }
    random = random * 1664525u + 1013904223u;
    event = RKH_ALLOC_EVT(MyEvt, 1 + (random >> 24) % 6, my);
    event->ts = (rui16_t)step;
    RKH_SMA_POST_FIFO(my, RKH_UPCAST(RKH_EVT_T, event), probe);
    if (step % 5 == 0) {
        event = RKH_ALLOC_EVT(MyEvt, ONE, probe);
        RKH_SMA_POST_LIFO(probe, RKH_UPCAST(RKH_EVT_T, event), my);
    }
}

void rkh_assert(RKHROM char *const module, int line)
{
    printf("%s:%d: assertion\n", module, line);
    exit(1);
}

int main(void)
{
    static const RKH_EVT_T *my_events[8], *probe_events[8];
    static rui8_t pool[128];

    rkh_fwk_init();
    RKH_FILTER_ON_GROUP(RKH_TRC_ALL_GROUPS);
    RKH_FILTER_ON_EVENT(RKH_TRC_ALL_EVENTS);
    RKH_FILTER_OFF_GROUP_ALL_EVENTS(RKH_TG_SM);
    RKH_FILTER_OFF_EVENT(RKH_TRC_ALL_EVENTS);
    RKH_FILTER_OFF_SMA(my);
    RKH_FILTER_OFF_ALL_SMA();
    RKH_FILTER_OFF_ALL_SIGNALS();
    RKH_TRC_OPEN();
    rkh_fwk_registerEvtPool(pool, sizeof(pool), sizeof(MyEvt));
    rkh_queue_init(&deferred, (const void **)deferred_events, 4, NULL);
    RKH_SMA_ACTIVATE(my, my_events, 8, 0, 0);
    RKH_SMA_ACTIVATE(probe, probe_events, 8, 0, 0);
    rkh_fwk_enter();
    return 0;
}
