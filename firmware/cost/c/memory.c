/* A small firmware that uses the recorder which RECORDER_... selects; without one, the
   baseline. The same as the programs memory-*.rs. */

#include "cost.h"
#include "rtoscope.h"
#include "rtoscope_rkhtrc.h"

#define COUNTER ((const rto_counter *)0xE0001004u)

/* A value that the compiler cannot trace. */
#define OPAQUE(value_) \
    __extension__({ \
        __typeof__((value_) + 0) opaque_ = (value_); \
        __asm__ volatile("" : "+r"(opaque_)); \
        opaque_; \
    })

#if defined(RECORDER_CSWITCH)
static struct rto_cswitch_entry BUFFER[64];

static int record(void)
{
    static const struct rto_cswitch *const logs[] = {&rtoscope_cswitch_log};
    static const struct rto_cswitch_save_options options = {
        .logs = logs, .cores = 1, .counter_bits = 32, .frequency_hz = 25000000,
    };
    const char *name = OPAQUE("thread");

    rto_cswitch_init(&rtoscope_cswitch_log, COUNTER);
    rto_cswitch_start(&rtoscope_cswitch_log, BUFFER, 64, true);
    rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, OPAQUE(0x1000u), name);
    rto_cswitch_sleep(&rtoscope_cswitch_log, OPAQUE(0x1000u), name);
    rto_cswitch_wake(&rtoscope_cswitch_log, OPAQUE(0x1000u), name);
    rto_cswitch_isr_enter(&rtoscope_cswitch_log, OPAQUE(0x1000u));
    rto_cswitch_isr_exit(&rtoscope_cswitch_log, OPAQUE(0x1000u));
    return rto_cswitch_save(&options, discard, NULL) > 0;
}
#elif defined(RECORDER_STREAM)
#define RTO_STREAM_IMPLEMENTATION
#include "rtoscope_stream.h"

static uint32_t BUFFER[256];
static uint8_t CONTAINER_BUFFER[512];
static struct rto_stream stream;

static int record(void)
{
    const uint32_t thread = OPAQUE(0x20000100u);

    rto_stream_start(&stream, BUFFER, 256, COUNTER, 25000000);
    rto_stream_name(&stream, thread, OPAQUE("worker"));
    rto_stream_resume(&stream, thread);
    rto_stream_ready(&stream, thread);
    rto_stream_wait(&stream, RTO_STREAM_WAIT_QUEUE);
    rto_stream_isr_enter(&stream, OPAQUE((uint8_t)15));
    rto_stream_isr_exit(&stream, OPAQUE((uint8_t)15));
    rto_stream_idle(&stream);
    return rto_stream_read(&stream, CONTAINER_BUFFER, sizeof(CONTAINER_BUFFER)) > 0;
}
#elif defined(RECORDER_TXTB)
static uint32_t BUFFER[512];

static int record(void)
{
    const uintptr_t thread = OPAQUE(0x20000100u);

    rto_set_counter(COUNTER);
    rto_threadx_enable(BUFFER, sizeof(BUFFER), 8);
    rto_threadx_register_thread(thread, OPAQUE("worker"), 7, 0x20001000, 512);
    rto_threadx_enter_thread(thread, 7, 7);
    rto_threadx_isr_enter(OPAQUE(15u));
    rto_threadx_isr_exit(OPAQUE(15u));
    rto_threadx_resume(thread, OPAQUE(3u), thread);
    rto_threadx_suspend(thread, OPAQUE(3u), 0);
    rto_threadx_insert(RTO_TX_TRACE_QUEUE_EVENTS, RTO_TX_TRACE_QUEUE_SEND, thread, 2, 3, 4);
    return rto_threadx_user_event(4096, 1, 2, 3, 4) == RTO_SUCCESS;
}
#elif defined(RECORDER_RKH)
static uint8_t BUFFER[512];

static int record(void)
{
    uint8_t bytes[64];
    const uint32_t machine = OPAQUE(0x2000u);
    const uint32_t state = OPAQUE(0x1000u);

    rto_set_counter(COUNTER);
    rto_rkh_start(BUFFER, sizeof(BUFFER));
    rto_rkh_filter(RTO_RKH_ALL_EVENTS, 0, true);
    rto_rkh_fwk_ao(machine, OPAQUE("machine"));
    RKH_TR_SM_INIT(machine, state);
    RKH_TR_SM_TRN(machine, state, state);
    RKH_TR_SM_STATE(machine, state);
    RKH_TR_SM_EVT_PROC(machine);
    RKH_TRC_USR_BEGIN(RKH_TE_USER)
        RKH_TUSR_UI16(5, OPAQUE(1200));
        RKH_TUSR_STR(OPAQUE("rpm"));
    RKH_TRC_USR_END();
    return rto_rkh_take(bytes, sizeof(bytes)) > 0;
}
#elif defined(RECORDER_NONE)
static int record(void)
{
    return 1;
}
#else
/* The hooks of a kernel. */
int record(void);
#endif

/* The functions of the C library that compilers call, which every program has. */
void memcpy(void);
void memmove(void);
void memset(void);
void strlen(void);
void __aeabi_memcpy(void);
void __aeabi_memclr(void);
void __aeabi_memclr4(void);
void __aeabi_memclr8(void);
void __aeabi_memset(void);

static void (*const library[])(void) = {
    memcpy, memmove, memset, strlen, __aeabi_memcpy, __aeabi_memclr, __aeabi_memclr4,
    __aeabi_memclr8, __aeabi_memset,
};

int main(void)
{
    return record() && OPAQUE(&library[0]) != 0 ? 0 : 1;
}
