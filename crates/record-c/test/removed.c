/* Calls of all recorders. With every switch at 0 the object file is the one of a file
   without the calls, which NO_CALLS removes. */
#ifndef NO_CALLS
#define RTO_CSWITCH 0
#define RTO_THREADX 0
#define RTO_RKH 0
#include "rtoscope_rkhtrc.h"
#endif

int work(int argument);

int work(int argument)
{
#ifndef NO_CALLS
    const void *queue = 0;

    (void)queue;
    rto_cswitch_init(&rtoscope_cswitch_log, 0);
    if (!rto_cswitch_start(&rtoscope_cswitch_log, 0, 0, true)) {
        return 1;
    }
    rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, 0, "work");
    rto_cswitch_isr_enter(&rtoscope_cswitch_log, 0);
    rto_cswitch_sleep(&rtoscope_cswitch_log, 0, "idle");
    if (rto_cswitch_save(0, 0, 0) != 0) {
        return 2;
    }
    if (rto_threadx_enable(0, 0, 0) != RTO_SUCCESS) {
        return 3;
    }
    rto_threadx_insert(RTO_TX_TRACE_QUEUE_EVENTS, RTO_TX_TRACE_QUEUE_SEND, 1, 2, 3, 4);
    rto_threadx_isr_exit(3);
    if (!rto_rkh_start(0, 0) || rto_rkh_take(0, 0) != 0) {
        return 4;
    }
    RKH_TR_QUE_FULL(queue);
    rto_rkh_fwk_ao(1, "pump");
    RKH_TRC_USR_BEGIN(RKH_TE_USER)
        RKH_TUSR_UI32(0, argument);
    RKH_TRC_USR_END();
#endif
    return argument + 1;
}
