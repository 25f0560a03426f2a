/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Records with all three recorders and saves their recordings:
 *
 *     pipeline.trx    a ThreadX event trace
 *     pipeline.rkh    an RKH stream
 *     pipeline.cswl   a context-switch log
 *
 * The "system" is a loop: an interrupt every 100 ticks puts a semaphore on which
 * the thread "camera" waits. When "camera" is done, "writer" runs; otherwise the
 * core is idle. The program runs on a PC and, with semihosting, on a
 * microcontroller.
 */
#include <stdio.h>
#include <string.h>

#include "rtoscope.h"

/* On hardware a register, such as DWT_CYCCNT; here the time of the loop. */
static rto_counter ticks;

static void work(uint32_t time)
{
    ticks = ticks + time;
}

/* The objects in the traces, identified by their addresses. */
static const char camera[] = "camera";
static const char writer[] = "writer";
static const char idle[] = "idle";
static const int frames = 0;
static const int waiting = 0, busy = 0;
static uint32_t camera_stack[64], writer_stack[64];

enum {
    CAMERA_PRIORITY = 3, WRITER_PRIORITY = 7,
    FRAME_INTERRUPT = 5,
    /* ThreadX's numbers. */
    READY = 0, SUSPENDED = 3, SEMAPHORE = 6, SEMAPHORE_TYPE = 4,
    SEMAPHORE_EVENTS = 0x80, SEMAPHORE_GET = 83, SEMAPHORE_PUT = 88,
    FRAME_DONE = 4096,
    /* RKH's. */
    SM_STATE = 0x63, SM_DCH = 0x71, FWK_SIG = 0xA7, FWK_AO = 0xAE, FWK_STATE = 0xAF,
    FRAME_SIGNAL = 1
};

static uintptr_t address_of(const void *object)
{
    return (uintptr_t)object;
}

static uint32_t address32(const void *object)
{
    return (uint32_t)(uintptr_t)object;
}

static void record_rkh(uint8_t event, const uint32_t *numbers, size_t count, const char *text)
{
    if (!rto_rkh_record(event, CAMERA_PRIORITY, numbers, count, text)) {
        printf("no record %#x has %u numbers\n", (unsigned)event, (unsigned)count);
    }
}

static void register_names(void)
{
    const uint32_t ao[] = {address32(camera)};
    const uint32_t signal[] = {FRAME_SIGNAL};
    const uint32_t waits[] = {address32(camera), address32(&waiting)};
    const uint32_t works[] = {address32(camera), address32(&busy)};

    rto_threadx_register_thread(address_of(camera), camera, CAMERA_PRIORITY, address_of(camera_stack),
                                sizeof camera_stack);
    rto_threadx_register_thread(address_of(writer), writer, WRITER_PRIORITY, address_of(writer_stack),
                                sizeof writer_stack);
    rto_threadx_register(SEMAPHORE_TYPE, address_of(&frames), "frames", 0, 0);
    record_rkh(FWK_AO, ao, 1, camera);
    record_rkh(FWK_SIG, signal, 1, "FRAME");
    record_rkh(FWK_STATE, waits, 2, "waiting");
    record_rkh(FWK_STATE, works, 2, "busy");
}

/* A frame has arrived: the interrupt wakes the camera's thread. */
static void frame_interrupt(void)
{
    rto_cswitch_isr_enter(&rtoscope_cswitch_log, (uintptr_t)frame_interrupt);
    rto_threadx_isr_enter(FRAME_INTERRUPT);
    work(4);
    rto_threadx_insert(SEMAPHORE_EVENTS, SEMAPHORE_PUT, address_of(&frames), 0, 1, 0);
    rto_threadx_resume(address_of(camera), SEMAPHORE, address_of(camera));
    rto_threadx_isr_exit(FRAME_INTERRUPT);
    rto_cswitch_isr_exit(&rtoscope_cswitch_log, (uintptr_t)frame_interrupt);
}

static void camera_runs(uint32_t frame)
{
    const uint32_t dispatch[] = {address32(camera), FRAME_SIGNAL, address32(&waiting)};
    const uint32_t state[] = {address32(camera), address32(&busy)};
    const struct rto_rkh_item items[] = {
        {RTO_RKH_U32, 4, frame, NULL},
        {RTO_RKH_STR, 0, 0, "frame"},
    };

    rto_threadx_enter_thread(address_of(camera), CAMERA_PRIORITY, CAMERA_PRIORITY);
    rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, (uintptr_t)camera_runs,
                       camera);
    record_rkh(SM_DCH, dispatch, 3, NULL);
    work(20);
    rto_cswitch_interrupts_disabled(&rtoscope_cswitch_log, false, (uintptr_t)camera_runs,
                                    camera);
    work(frame == 7 ? 9 : 2);
    rto_cswitch_interrupts_restored(&rtoscope_cswitch_log, false, (uintptr_t)camera_runs,
                                    camera);
    rto_threadx_user_event(FRAME_DONE, frame, 0, 0, 0);
    record_rkh(SM_STATE, state, 2, NULL);
    rto_rkh_user_event(0, items, 2);
    /* "writer" becomes ready and runs once "camera" waits again. */
    rto_threadx_resume(address_of(writer), SUSPENDED, address_of(camera));
    rto_threadx_insert(SEMAPHORE_EVENTS, SEMAPHORE_GET, address_of(&frames), 0xFFFFFFFFu, 0, 0);
    rto_threadx_suspend(address_of(camera), SEMAPHORE, address_of(writer));
}

static void writer_runs(void)
{
    rto_threadx_enter_thread(address_of(writer), WRITER_PRIORITY, WRITER_PRIORITY);
    rto_cswitch_record(RTO_SYNC_RESUME, &rtoscope_cswitch_log, (uintptr_t)writer_runs,
                       writer);
    work(30);
    rto_threadx_suspend(address_of(writer), SUSPENDED, 0);
}

static void core_idles(void)
{
    rto_threadx_enter_thread(0, 0, 0);
    rto_cswitch_sleep(&rtoscope_cswitch_log, 0, idle);
    work(40);
    rto_cswitch_wake(&rtoscope_cswitch_log, 0, idle);
}

static void to_file(void *file, const uint8_t *bytes, size_t count)
{
    fwrite(bytes, 1, count, (FILE *)file);
}

static bool save(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(name, "wb");
    bool saved = file != NULL && fwrite(bytes, 1, count, file) == count;

    return file != NULL && fclose(file) == 0 && saved;
}

static bool save_log(const char *name)
{
    const struct rto_cswitch *const logs[] = {&rtoscope_cswitch_log};
    const struct rto_memory_region names[] = {
        {camera, camera + sizeof camera},
        {writer, writer + sizeof writer},
        {idle, idle + sizeof idle},
    };
    const struct rto_cswitch_save_options options = {
        .logs = logs, .cores = 1, .counter_bits = 32, .frequency_hz = 1000000,
        .readable = names, .regions = 3,
    };
    FILE *file = fopen(name, "wb");

    if (file == NULL) {
        return false;
    }
    rto_cswitch_save(&options, to_file, file);
    return fclose(file) == 0;
}

int main(void)
{
    static uintptr_t trace[2048];
    static uint8_t ring[8192], taken[8192];
    static struct rto_cswitch_entry entries[512];
    struct rto_cswitch_position position;
    size_t count;

    rto_set_counter(&ticks);
    rto_cswitch_init(&rtoscope_cswitch_log, &ticks);
    if (rto_threadx_enable(trace, sizeof trace, 8) != RTO_SUCCESS
        || !rto_rkh_start(ring, sizeof ring)
        || !rto_rkh_filter(RTO_RKH_ALL_EVENTS, 0, true)
        || !rto_rkh_filter(RTO_RKH_ALL_OBJECTS, 0, true)
        || !rto_rkh_filter(RTO_RKH_ALL_SIGNALS, 0, true)
        || !rto_cswitch_start(&rtoscope_cswitch_log, entries, 512, true)) {
        puts("a recorder cannot be started");
        return 1;
    }
    register_names();
    for (uint32_t frame = 0; frame < 20; frame++) {
        frame_interrupt();
        camera_runs(frame);
        writer_runs();
        core_idles();
    }

    rto_threadx_disable();
    count = rto_rkh_take(taken, sizeof taken);
    if (!save("pipeline.trx", trace, sizeof trace)
        || !save("pipeline.rkh", taken, count)
        || !save_log("pipeline.cswl")) {
        puts("a file cannot be written");
        return 1;
    }
    rto_cswitch_stop(&rtoscope_cswitch_log, &position);
    printf("%u frames lost, %u entries lost, %u ticks idle\n", (unsigned)rto_rkh_lost(),
           (unsigned)position.lost, (unsigned)position.idle_ticks);
    return 0;
}
