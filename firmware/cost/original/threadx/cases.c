/* Events of ThreadX's own trace facility, unchanged, from its own macro: inserted as in
   the kernel, inside the critical section of the traced call. */

#define TX_SOURCE_CODE
/* Makes the headers define the object lists that enabling the trace reads. */
#define TX_BLOCK_POOL_INIT
#define TX_BYTE_POOL_INIT
#define TX_EVENT_FLAGS_INIT
#define TX_MUTEX_INIT
#define TX_QUEUE_INIT
#define TX_SEMAPHORE_INIT

#include "tx_api.h"
#include "tx_thread.h"
#include "tx_trace.h"
#include "tx_block_pool.h"
#include "tx_byte_pool.h"
#include "tx_event_flags.h"
#include "tx_mutex.h"
#include "tx_queue.h"
#include "tx_semaphore.h"
#include "cost.h"

/* There is no scheduler here. */
VOID _tx_thread_system_preempt_check(VOID) {}

#define INSERT(a_, b_, c_, d_)                                                 \
    do                                                                         \
    {                                                                          \
        TX_INTERRUPT_SAVE_AREA                                                 \
        TX_DISABLE                                                             \
        TX_TRACE_IN_LINE_INSERT(TX_TRACE_QUEUE_SEND, a_, b_, c_, d_,           \
                                TX_TRACE_QUEUE_EVENTS)                         \
        TX_RESTORE                                                             \
    } while (0)

#define INSERT_CASE(name_)                                                     \
    CASE void name_(ULONG a, ULONG b, ULONG c, ULONG d) { INSERT(a, b, c, d); }

INSERT_CASE(cost_txtb_thread)
INSERT_CASE(cost_txtb_isr)
INSERT_CASE(cost_txtb_filtered)
INSERT_CASE(cost_txtb_disabled)
INSERT_CASE(cost_txtb_wrap)

CASE UINT cost_txtb_user(ULONG id, ULONG a, ULONG b, ULONG c)
{
    return _tx_trace_user_event_insert(id, a, b, c, 0);
}

CASE void cost_txtb_register(VOID *queue, CHAR *name, ULONG size, ULONG message)
{
    TX_INTERRUPT_SAVE_AREA
    TX_DISABLE
    _tx_trace_object_register(TX_TRACE_OBJECT_TYPE_QUEUE, queue, name, size, message);
    TX_RESTORE
}

#define REGISTRY 4
/* Enabling the trace inserts two events. */
#define ENABLED 2
#define EVENTS (ENABLED + 3)

static ULONG buffer[(sizeof(TX_TRACE_HEADER) + REGISTRY * sizeof(TX_TRACE_OBJECT_ENTRY)
                     + EVENTS * sizeof(TX_TRACE_BUFFER_ENTRY)) / sizeof(ULONG)];
static TX_THREAD thread;

/* Number of events before the current one. */
static unsigned position(void)
{
    return (unsigned)(_tx_trace_buffer_current_ptr - _tx_trace_buffer_start_ptr);
}

int main(void)
{
    unsigned wrong = 0;
    _tx_trace_initialize();
    cost_txtb_disabled(1, 2, 3, 4);
    wrong |= _tx_trace_buffer_current_ptr != TX_NULL;
    wrong |= _tx_trace_enable(buffer, sizeof(buffer), REGISTRY) != TX_SUCCESS;
    wrong |= position() ^ ENABLED;

    thread.tx_thread_priority = 7;
    thread.tx_thread_preempt_threshold = 7;
    _tx_thread_current_ptr = &thread;
    _tx_thread_system_state = 0;
    cost_txtb_register(&thread, (CHAR *)"worker", 16, 4);
    cost_txtb_thread(1, 2, 3, 4);
    wrong |= position() ^ (ENABLED + 1);
    wrong |= _tx_trace_buffer_start_ptr[ENABLED].tx_trace_buffer_entry_thread_pointer ^ (ULONG)&thread;
    /* The kernel's count of nested interrupts; the core is not in a handler. */
    _tx_thread_system_state = 1;
    cost_txtb_isr(1, 2, 3, 4);
    wrong |= position() ^ (ENABLED + 2);
    wrong |= ~_tx_trace_buffer_start_ptr[ENABLED + 1].tx_trace_buffer_entry_thread_pointer;
    _tx_thread_system_state = 0;
    cost_txtb_wrap(1, 2, 3, 4);
    wrong |= position();
    wrong |= cost_txtb_user(TX_TRACE_USER_EVENT_START, 1, 2, 3);
    wrong |= position() ^ 1;
    _tx_trace_event_filter(TX_TRACE_QUEUE_EVENTS);
    cost_txtb_filtered(1, 2, 3, 4);
    wrong |= position() ^ 1;
    return wrong == 0 ? 0 : 1;
}
