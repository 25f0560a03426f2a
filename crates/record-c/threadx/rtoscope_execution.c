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
 * one that had called the scheduler itself as SYNC_RESUME. The frame on its stack shows
 * which.
 */
#include "tx_api.h"
#include "tx_thread.h"
#include "rtoscope.h"

/* The address at which a thread continues. Ports with known stack frames are below;
   others may define the macro, or use the thread's entry function. */
#ifndef RTO_RESUME_ADDRESS
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) \
    || defined(__ARM_ARCH_8M_BASE__) || defined(__ARM_ARCH_8M_MAIN__)
/* The port saves LR and R4 to R11 below the frame of the exception; with bit 4
   of LR clear there are 16 words of the FPU between the two. */
static uintptr_t resume_address(const TX_THREAD *thread)
{
    const uint32_t *saved = (const uint32_t *)thread->tx_thread_stack_ptr;
    return saved[((saved[0] & 0x10u) != 0u ? 9 : 25) + 6];
}
#define RTO_RESUME_ADDRESS(thread) resume_address(thread)
#else
#define RTO_RESUME_ADDRESS(thread) ((uintptr_t)(thread)->tx_thread_entry)
#endif
#endif

/* Whether an interrupt had preempted a thread, by its saved frame. Other ports may define
   the macro. */
#ifndef RTO_RESUME_IS_ASYNC
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_8M_MAIN__)
/* All frames are those of exceptions. A thread that calls the scheduler itself continues
   in _tx_thread_system_return, inlined or not, which lets PendSV through for a moment:
   CPSIE i; MSR PRIMASK, or MSR BASEPRI twice. PendSV comes between the two instructions,
   or after the second. */
static bool is_msr(const uint16_t *code, uint16_t special)
{
    return (code[0] & 0xFFF0u) == 0xF380u && code[1] == special;
}

static bool was_preempted(const TX_THREAD *thread)
{
    const uintptr_t address = resume_address(thread) & ~(uintptr_t)1u;
    const uint16_t *next = (const uint16_t *)address;
    const uint16_t cpsie = 0xB662u, primask = 0x8810u, basepri = 0x8811u;

    if (address < 8u) {
        return true;
    }
    return !((next[-1] == cpsie && is_msr(next, primask))
             || (next[-3] == cpsie && is_msr(next - 2, primask))
             || (is_msr(next - 2, basepri) && is_msr(next, basepri))
             || (is_msr(next - 4, basepri) && is_msr(next - 2, basepri)));
}
#define RTO_RESUME_IS_ASYNC(thread) was_preempted(thread)
#elif defined(__arm__) && !defined(__ARM_ARCH_6M__) && !defined(__ARM_ARCH_8M_BASE__) \
    || defined(__riscv)
/* The port's frames begin with their type: 1 for that of an interrupt, 0 for a call. */
#define RTO_RESUME_IS_ASYNC(thread) \
    (*(const ULONG *)(thread)->tx_thread_stack_ptr == 1u)
#else
#define RTO_RESUME_IS_ASYNC(thread) false
#endif
#endif

/* The running interrupt handler. */
#ifndef RTO_HANDLER_ADDRESS
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) \
    || defined(__ARM_ARCH_8M_BASE__) || defined(__ARM_ARCH_8M_MAIN__)
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
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) \
    || defined(__ARM_ARCH_8M_BASE__) || defined(__ARM_ARCH_8M_MAIN__)
/* Threads run on the process stack, on which the exception has pushed the frame with
   the return address. */
static uintptr_t return_address(void)
{
    const uint32_t *frame;

    __asm__ volatile("mrs %0, psp" : "=r"(frame));
    return frame[6];
}
#define RTO_RETURN_ADDRESS(thread) return_address()
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
    TX_RESTORE
}

/* Also called when the scheduler runs for the first time. From here on, no thread
   runs, regardless of _tx_thread_current_ptr. */
void _tx_execution_thread_exit(void)
{
    TX_INTERRUPT_SAVE_AREA

    TX_DISABLE
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
    handlers++;
    rto_cswitch_isr_enter(&rtoscope_cswitch_log, handler);
    TX_RESTORE
}

void _tx_execution_isr_exit(void)
{
    const uintptr_t handler = RTO_HANDLER_ADDRESS();
    TX_INTERRUPT_SAVE_AREA

    TX_DISABLE
    rto_cswitch_isr_exit(&rtoscope_cswitch_log, handler);
    handlers--;
    if (handlers == 0) {
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
