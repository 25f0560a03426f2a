/* The counter of the core, on a Cortex-R5 in QEMU. */
#include <stdio.h>

#include "rtoscope.h"

/* Words of the trace: header, a registered object, events; the time in an event. Two events
   precede those of the program. */
enum { HEADER = 12, OBJECT = 12, EVENT = 8, TIME = 3 };

static struct rto_cswitch_entry entries[2];
static uint32_t trace[HEADER + OBJECT + 8 * EVENT];

/* Bits E of PMCR and C of PMCNTENSET. */
static void start_counter(void)
{
    __asm__ volatile("mcr p15, 0, %0, c9, c12, 0" : : "r"(1u));
    __asm__ volatile("mcr p15, 0, %0, c9, c12, 1" : : "r"(1u << 31));
}

static uint32_t counter(void)
{
    uint32_t value;

    __asm__ volatile("mrc p15, 0, %0, c9, c13, 0" : "=r"(value));
    return value;
}

/* Whether the stamps lie between those of the program, in their order. */
static bool ordered(uint32_t before, uint32_t first, uint32_t second, uint32_t after)
{
    return before < first && first < second && second < after;
}

int main(void)
{
    const uint32_t *events;
    uint32_t before, after;
    bool right;

    start_counter();
    rto_cswitch_init(&rtoscope_cswitch_log, RTO_CORE_COUNTER);
    right = rto_cswitch_start(&rtoscope_cswitch_log, entries, 2, false);
    before = counter();
    rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, 0, "camera");
    rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, 0, "display");
    after = counter();
    right = right && ordered(before, entries[0].counter, entries[1].counter, after);

    rto_set_counter(RTO_CORE_COUNTER);
    right = right && rto_threadx_enable(trace, sizeof trace, 1) == RTO_SUCCESS;
    before = counter();
    rto_threadx_isr_enter(1);
    rto_threadx_isr_exit(1);
    after = counter();
    events = trace + HEADER + OBJECT + 2 * EVENT;
    right = right && ordered(before, events[TIME], events[EVENT + TIME], after);
    if (!right) {
        printf("the entries do not have the times of the counter\n");
    }
    return !right;
}
