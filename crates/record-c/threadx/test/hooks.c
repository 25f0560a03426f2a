/* Calls the hooks as ThreadX's scheduler and interrupts do, and looks at what
   the log has of it. */
#include <stdio.h>
#include <string.h>

#include "tx_thread.h"
#include "rtoscope.h"

void _tx_execution_thread_enter(void);
void _tx_execution_thread_exit(void);
void _tx_execution_isr_enter(void);
void _tx_execution_isr_exit(void);

TX_THREAD *_tx_thread_current_ptr;
TX_THREAD *_tx_thread_execute_ptr;

void _tx_thread_schedule(void)
{
}

static void entry(unsigned long input)
{
    (void)input;
}

static TX_THREAD low = {"low", NULL, entry}, high = {"high", NULL, entry};
static rto_counter ticks;

static void schedule(void)
{
    _tx_execution_thread_exit();
    _tx_thread_current_ptr = _tx_thread_execute_ptr;
    if (_tx_thread_current_ptr != TX_NULL) {
        _tx_execution_thread_enter();
    }
}

/* An interrupt, which makes `ready` the thread that is to execute. */
static void interrupt(TX_THREAD *ready)
{
    _tx_execution_isr_enter();
    ticks = ticks + 1;
    _tx_thread_execute_ptr = ready;
    _tx_execution_isr_exit();
    if (_tx_thread_current_ptr == ready) {
        return;
    }
    if (_tx_thread_current_ptr == TX_NULL) {
        /* The idle loop sees the thread itself. */
        _tx_thread_current_ptr = ready;
        _tx_execution_thread_enter();
    } else {
        schedule();
    }
}

static void nested_interrupts(void)
{
    _tx_execution_isr_enter();
    _tx_execution_isr_enter();
    _tx_execution_isr_exit();
    _tx_execution_isr_exit();
}

int main(void)
{
    static const struct {
        uint32_t kind;
        const char *name;
    } expected[] = {
        /* Nobody executes when the scheduler starts. */
        {RTO_SLEEP, "idle"},
        {RTO_WAKE, "idle"}, {RTO_ISR_ENTER, "ISR"}, {RTO_ISR_EXIT, "ISR"},
        {RTO_SYNC_RESUME, "low"},
        /* An interrupt that changes nothing, and two nested ones. */
        {RTO_ISR_ENTER, "ISR"}, {RTO_ISR_EXIT, "ISR"}, {RTO_ISR_RETURN, "low"},
        {RTO_ISR_ENTER, "ISR"}, {RTO_ISR_ENTER, "ISR"},
        {RTO_ISR_EXIT, "ISR"}, {RTO_ISR_EXIT, "ISR"}, {RTO_ISR_RETURN, "low"},
        /* A preemption. */
        {RTO_ISR_ENTER, "ISR"}, {RTO_ISR_EXIT, "ISR"}, {RTO_SYNC_RESUME, "high"},
        /* Both wait. */
        {RTO_SYNC_RESUME, "low"}, {RTO_SLEEP, "idle"},
        /* An interrupt for nobody. */
        {RTO_WAKE, "idle"}, {RTO_ISR_ENTER, "ISR"}, {RTO_ISR_EXIT, "ISR"}, {RTO_SLEEP, "idle"},
    };
    const size_t count = sizeof expected / sizeof expected[0];
    static struct rto_cswitch_entry entries[64];
    struct rto_cswitch_position position;
    int wrong = 0;

    rto_cswitch_init(&rtoscope_cswitch_log, &ticks);
    rto_cswitch_start(&rtoscope_cswitch_log, entries, 64, false);

    schedule();
    interrupt(&low);
    interrupt(&low);
    nested_interrupts();
    interrupt(&high);
    _tx_thread_execute_ptr = &low;
    schedule();
    _tx_thread_execute_ptr = TX_NULL;
    schedule();
    interrupt(TX_NULL);

    rto_cswitch_stop(&rtoscope_cswitch_log, &position);
    if (position.written != count) {
        printf("%u entries, not %u\n", (unsigned)position.written, (unsigned)count);
        wrong = 1;
    }
    for (size_t number = 0; number < count; number++) {
        const struct rto_cswitch_entry *found = &entries[number];

        if (found->kind != expected[number].kind
            || found->name == NULL || strcmp(found->name, expected[number].name) != 0) {
            printf("entry %u is of kind %u, of %s\n", (unsigned)number, (unsigned)found->kind,
                   found->name == NULL ? "nobody" : found->name);
            wrong = 1;
        }
    }
    return wrong;
}
