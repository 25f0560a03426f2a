/* A context-switch logger in plain C: entries of four words, a pointer to the next
   entry, one to the end and, in the cyclic form, one to the start. */

#include "cost.h"

typedef struct
{
    uint32_t type;
    uint32_t counter;
    uintptr_t address;
    const char *name;
} Entry;

/* `current` equals `end` while nothing is logged. */
typedef struct
{
    Entry *current;
    Entry *end;
    Entry *start;
    uint32_t cyclic;
} Log;

#define ENTRIES 4

static Entry entries[ENTRIES];
static Log log;

static void start(uint32_t cyclic, uint32_t used)
{
    log.start = entries;
    log.current = entries + used;
    log.end = entries + ENTRIES;
    log.cyclic = cyclic;
}

static inline __attribute__((always_inline)) void
write(Log *to, uint32_t type, uintptr_t address, const char *name)
{
    Entry *entry = to->current;
    if (entry != to->end)
    {
        entry->type = type;
        entry->counter = CYCLE_COUNTER;
        entry->address = address;
        entry->name = name;
        to->current = entry + 1;
    }
}

static inline __attribute__((always_inline)) void
write_cyclic(Log *to, uint32_t type, uintptr_t address, const char *name)
{
    if (to->cyclic && to->current == to->end)
    {
        to->current = to->start;
    }
    write(to, type, address, name);
}

#define CSWITCH_CASE(name_) \
    CASE void name_(uint32_t type, uintptr_t address, const char *name)

CSWITCH_CASE(cost_cswitch_one_shot) { write(&log, type, address, name); }

CSWITCH_CASE(cost_cswitch_full) { write(&log, type, address, name); }

CSWITCH_CASE(cost_cswitch_off) { write(&log, type, address, name); }

CSWITCH_CASE(cost_cswitch_masked)
{
    uint32_t before = interrupts_disable();
    write(&log, type, address, name);
    interrupts_restore(before);
}

CSWITCH_CASE(cost_cswitch_cyclic)
{
    uint32_t before = interrupts_disable();
    write_cyclic(&log, type, address, name);
    interrupts_restore(before);
}

CSWITCH_CASE(cost_cswitch_wrap)
{
    uint32_t before = interrupts_disable();
    write_cyclic(&log, type, address, name);
    interrupts_restore(before);
}

int main(void)
{
    cost_cswitch_off(2, 0x1000, "thread");
    start(0, 0);
    cost_cswitch_one_shot(2, 0x1000, "thread");
    cost_cswitch_masked(2, 0x1000, "thread");
    start(0, ENTRIES);
    cost_cswitch_full(2, 0x1000, "thread");
    start(1, 1);
    cost_cswitch_cyclic(2, 0x1000, "thread");
    start(1, ENTRIES);
    cost_cswitch_wrap(2, 0x1000, "thread");
    return log.current == entries + 1 && entries[0].type == 2 ? 0 : 1;
}
