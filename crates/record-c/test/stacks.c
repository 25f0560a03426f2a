/* Call stacks after entries of one kind, and in a ThreadX trace. Runs on a microcontroller with semihosting. */
#include <stdio.h>

#include <stdint.h>
struct rto_cswitch;
static void after(uint32_t kind, const struct rto_cswitch *log);

#define RTO_CSWITCH_AFTER(kind, log, address, name) after(kind, log)
#include "rtoscope.h"

#define NEVER_INLINED __attribute__((noinline, noclone))

static rto_counter ticks;
static struct rto_cswitch_entry entries[256];
static uintptr_t trace[1024];
static uintptr_t stack_end;

static NEVER_INLINED void after(uint32_t kind, const struct rto_cswitch *log)
{
    if (kind == RTO_INT_DISABLE) {
        struct rto_stack_registers registers;

        rto_stack_capture(&registers);
        rto_cswitch_record_stack(log, &registers, registers.stack_pointer, stack_end, 100);
        rto_threadx_record_stack(&registers, registers.stack_pointer, stack_end, 100);
    }
}

static NEVER_INLINED void lock(void)
{
    rto_cswitch_interrupts_disabled(&rtoscope_cswitch_log, false, (uintptr_t)lock, "main");
    rto_cswitch_interrupts_restored(&rtoscope_cswitch_log, false, (uintptr_t)lock, "main");
}

/* Recursive, with a frame of its own. */
static NEVER_INLINED int descend(volatile int depth)
{
    volatile int words[3] = {depth, depth, depth};

    if (depth == 0) {
        lock();
    } else {
        words[1] += descend(depth - 1);
    }
    return words[1];
}

static void to_file(void *file, const uint8_t *bytes, size_t count)
{
    (void)fwrite(bytes, 1, count, file);
}

int main(void)
{
    FILE *file = fopen("stacks.cswl", "wb");
    const struct rto_cswitch *const logs[] = {&rtoscope_cswitch_log};
    const struct rto_cswitch_save_options options = {
        .logs = logs, .cores = 1, .counter_bits = 32,
    };

    if (file == NULL) {
        return 1;
    }
    stack_end = (uintptr_t)__builtin_frame_address(0) + sizeof(uintptr_t);
    if (rto_threadx_enable(trace, sizeof trace, 0) != RTO_SUCCESS) {
        return 1;
    }
    rto_cswitch_init(&rtoscope_cswitch_log, &ticks);
    if (!rto_cswitch_start(&rtoscope_cswitch_log, entries, 256, false)) {
        return 1;
    }
    (void)descend(2);
    ticks++;
    lock();
    (void)rto_cswitch_stop(&rtoscope_cswitch_log, NULL);
    (void)rto_cswitch_save(&options, to_file, file);
    if (fclose(file) != 0) {
        return 1;
    }
    (void)rto_threadx_disable();
    file = fopen("stacks.trx", "wb");
    if (file == NULL || fwrite(trace, 1, sizeof trace, file) != sizeof trace) {
        return 1;
    }
    return fclose(file) != 0;
}
