/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Context-switch log of a ThreadX program: implements ThreadX's execution change
 * hooks with the recorder.
 *
 * Build ThreadX with TX_ENABLE_EXECUTION_CHANGE_NOTIFY and without
 * tx_execution_profile.c, which defines the same functions, and compile this file
 * into the program. Each interrupt handler must call _tx_execution_isr_enter first and
 * _tx_execution_isr_exit last, as ThreadX requires. Start the counter (on Cortex-M3 and
 * later: DEMCR.TRCENA, then DWT_CTRL.CYCCNTENA) and call
 *
 *     rto_cswitch_init(&rtoscope_cswitch_log, COUNTER);
 *     rto_cswitch_start(&rtoscope_cswitch_log, buffer, entries, true);
 *
 * before tx_kernel_enter, or when recording should start.
 *
 * A thread that an interrupt had preempted, or that starts, is recorded as ASYNC_RESUME,
 * one that had called the scheduler itself as SYNC_RESUME.
 */
#include "tx_api.h"
#include "tx_thread.h"
#include "rtoscope.h"

#ifdef TX_THREAD_SMP_MAX_CORES
#error "ThreadX SMP is not supported: the log has the state of one core"
#endif
#ifdef __CC_ARM
#error "Arm Compiler 5 is not supported: use Arm Compiler 6, GCC, Clang or IAR"
#endif

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define RTO_IS_CORTEX_M
#endif

#ifdef RTO_IS_CORTEX_M
/* The exception's frame of a thread that does not run: R0 to R3, R12, LR, PC, PSR. The port saves
   LR and R4 to R11 below it; with bit 4 of LR clear there are 16 words of the FPU between the
   two. */
static uint32_t *saved_frame(const TX_THREAD *thread)
{
    uint32_t *saved = (uint32_t *)thread->tx_thread_stack_ptr;

    return saved + ((saved[0] & 0x10u) != 0u ? 9 : 25);
}

/* The frame of the running thread: threads run on the process stack. */
static uint32_t *running_frame(void)
{
    uint32_t *frame;

    __asm__ volatile("mrs %0, psp" : "=r"(frame));
    return frame;
}

enum { FRAME_PC = 6, FRAME_PSR = 7 };
#endif

/* The address at which a thread continues. Ports with known stack frames are below;
   others may define the macro, or use the thread's entry function. */
#ifndef RTO_RESUME_ADDRESS
#ifdef RTO_IS_CORTEX_M
#define RTO_RESUME_ADDRESS(thread) saved_frame(thread)[FRAME_PC]
#else
#define RTO_RESUME_ADDRESS(thread) ((uintptr_t)(thread)->tx_thread_entry)
#endif
#endif

/* Whether an interrupt had preempted a thread. Other ports may define the macro. */
#ifndef RTO_RESUME_IS_ASYNC
#ifdef RTO_IS_CORTEX_M
#define RTO_MARKS_FRAMES
#define RTO_RESUME_IS_ASYNC(thread) !is_marked(saved_frame(thread))
#elif defined(__arm__) || defined(__riscv)
/* The port's frames begin with their type: 1 for that of an interrupt, 0 for a call. */
#define RTO_RESUME_IS_ASYNC(thread) \
    (*(const ULONG *)(thread)->tx_thread_stack_ptr == 1u)
#else
#define RTO_RESUME_IS_ASYNC(thread) false
#endif
#endif

/* The running interrupt handler. */
#ifndef RTO_HANDLER_ADDRESS
#ifdef RTO_IS_CORTEX_M
static uintptr_t handler_address(void)
{
    uint32_t exception;
    const uint32_t *vectors = *(const uint32_t *const volatile *)0xE000ED08u;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return vectors[exception & 0x1FFu];
}
#define RTO_HANDLER_ADDRESS() handler_address()
#else
#define RTO_HANDLER_ADDRESS() ((uintptr_t)__builtin_return_address(0))
#endif
#endif

/* The address at which the interrupted thread continues, evaluated when the outermost
   handler ends. Known ports are below; others may define the macro, or use the
   thread's entry function. */
#ifndef RTO_RETURN_ADDRESS
#ifdef RTO_IS_CORTEX_M
#define RTO_RETURN_ADDRESS(thread) running_frame()[FRAME_PC]
#else
#define RTO_RETURN_ADDRESS(thread) ((uintptr_t)(thread)->tx_thread_entry)
#endif
#endif

static const char idle_name[] = "idle";

/* The current state of the log. Interrupts nest at any point: each hook changes this
   state and records the change with interrupts disabled, so that the next handler
   finds state and log consistent. */
static const TX_THREAD *running;
static unsigned handlers;
static bool asleep;

#ifdef RTO_MARKS_FRAMES
/* On a Cortex-M every switch is the exception PendSV. A thread that calls the scheduler sets it
   pending; so does a handler whose call makes another thread run. Which of the two it was cannot
   be seen from the program counter: the thread continues wherever PendSV was taken. So it is
   noted in the frame: no Cortex-M reads this bit of a saved PSR back. */
#define CALLED_SCHEDULER (1u << 22)

/* Whether PendSV was set pending, or was about to be, when the outermost handler began; whether a
   handler set it pending; and whether it was then taken, and interrupted before the hook. */
static bool was_called, handler_called, is_taken;

static bool is_switch_pending(void)
{
    return (*(const volatile uint32_t *)0xE000ED04u & (1u << 28)) != 0u;
}

static bool is_marked(const uint32_t *frame)
{
    return (frame[FRAME_PSR] & CALLED_SCHEDULER) != 0u;
}

/* The outermost handler begins. A thread that waits has called the scheduler, even if it has not
   yet set PendSV pending. */
static void begin_handlers(void)
{
    const bool is_pending = is_switch_pending();

    was_called = is_pending || (running != TX_NULL && running->tx_thread_state != TX_READY);
    is_taken = is_taken || (handler_called && !is_pending);
}

static void end_handlers(void)
{
    if (!was_called && is_switch_pending()) {
        handler_called = true;
    }
}

static void begin_thread(void)
{
    saved_frame(running)[FRAME_PSR] &= ~CALLED_SCHEDULER;
    /* No instruction of the thread runs before this switch. */
    handler_called = is_switch_pending();
    is_taken = false;
}

static void end_thread(void)
{
    /* If PendSV is pending again, a handler has interrupted this one. */
    const bool was_preempted = handler_called && (is_taken || !is_switch_pending());
    uint32_t *frame = running_frame();

    /* The state of a thread: Thumb code, in no handler. */
    if (running != TX_NULL && !was_preempted && (frame[FRAME_PSR] & 0x01F001FFu) == 0x01000000u) {
        frame[FRAME_PSR] |= CALLED_SCHEDULER;
    }
}
#else
static void begin_handlers(void) {}
static void end_handlers(void) {}
static void begin_thread(void) {}
static void end_thread(void) {}
#endif

static void enter_sleep(void)
{
    if (!asleep) {
        asleep = true;
        rto_cswitch_sleep(&rtoscope_cswitch_log, (uintptr_t)_tx_thread_schedule, idle_name);
    }
}

static void leave_sleep(uintptr_t address)
{
    if (asleep) {
        asleep = false;
        rto_cswitch_wake(&rtoscope_cswitch_log, address, idle_name);
    }
}

void _tx_execution_initialize(void)
{
}

void _tx_execution_thread_enter(void)
{
    TX_INTERRUPT_SAVE_AREA

    TX_DISABLE
    running = _tx_thread_current_ptr;
    leave_sleep(RTO_RESUME_ADDRESS(running));
    rto_cswitch_record(RTO_RESUME_IS_ASYNC(running) ? RTO_ASYNC_RESUME : RTO_SYNC_RESUME,
                       &rtoscope_cswitch_log, RTO_RESUME_ADDRESS(running),
                       running->tx_thread_name);
    begin_thread();
    TX_RESTORE
}

/* Also called when the scheduler runs for the first time. From here on, no thread
   runs, regardless of _tx_thread_current_ptr. */
void _tx_execution_thread_exit(void)
{
    TX_INTERRUPT_SAVE_AREA

    TX_DISABLE
    end_thread();
    running = TX_NULL;
    if (_tx_thread_execute_ptr == TX_NULL) {
        enter_sleep();
    }
    TX_RESTORE
}

void _tx_execution_isr_enter(void)
{
    const uintptr_t handler = RTO_HANDLER_ADDRESS();
    TX_INTERRUPT_SAVE_AREA

    TX_DISABLE
    leave_sleep(handler);
    if (handlers++ == 0) {
        begin_handlers();
    }
    rto_cswitch_isr_enter(&rtoscope_cswitch_log, handler);
    TX_RESTORE
}

void _tx_execution_isr_exit(void)
{
    const uintptr_t handler = RTO_HANDLER_ADDRESS();
    TX_INTERRUPT_SAVE_AREA

    TX_DISABLE
    rto_cswitch_isr_exit(&rtoscope_cswitch_log, handler);
    if (--handlers == 0) {
        end_handlers();
        if (running == TX_NULL) {
            if (_tx_thread_execute_ptr == TX_NULL) {
                enter_sleep();
            }
        } else if (running == _tx_thread_execute_ptr) {
            rto_cswitch_record(RTO_ISR_RETURN, &rtoscope_cswitch_log,
                               RTO_RETURN_ADDRESS(running), running->tx_thread_name);
        }
    }
    TX_RESTORE
}
