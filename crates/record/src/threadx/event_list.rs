//! The events of ThreadX's services. Numbers and fields are those in the kernel's source, which
//! sometimes differ from its headers.
//!
//! Generated from `threadx.tsv` by `cargo xtask check`: change that.

use super::events::{NOTHING, events};
use super::stack::stack_pointer;
use super::{EventGroups, InfoField as _, ThreadState, ThreadXRecorder, WordWidth};
use crate::port::{Clock, Mask};

events! {
    5 time_slice INTERNAL (next_thread: usize, system_state: u32, preempt_disable: u32)
        [next_thread, system_state, preempt_disable, stack_pointer()] "`TX_TRACE_TIME_SLICE`: in the timer's interrupt, the running thread's time slice has expired and `next_thread` is next."
    6 running INTERNAL ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_RUNNING`: the current context is running; no further information."
    11 block_pool_create BLOCK_POOL (pool: usize, pool_start: usize, total_blocks: u32, block_size: usize)
        [pool, pool_start, total_blocks, block_size] "`TX_TRACE_BLOCK_POOL_CREATE`."
    12 block_pool_delete BLOCK_POOL (pool: usize)
        [pool, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_BLOCK_POOL_DELETE`."
    13 block_pool_info_get BLOCK_POOL (pool: usize)
        [pool, NOTHING, NOTHING, NOTHING] "`TX_TRACE_BLOCK_POOL_INFO_GET`."
    14 block_pool_performance_info_get BLOCK_POOL (pool: usize)
        [pool, NOTHING, NOTHING, NOTHING] "`TX_TRACE_BLOCK_POOL_PERFORMANCE_INFO_GET`."
    15 block_pool_performance_system_info_get BLOCK_POOL ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_BLOCK_POOL__PERFORMANCE_SYSTEM_INFO_GET`."
    16 block_pool_prioritize BLOCK_POOL (pool: usize, suspended_count: u32)
        [pool, suspended_count, stack_pointer(), NOTHING] "`TX_TRACE_BLOCK_POOL_PRIORITIZE`."
    17 block_release BLOCK_POOL (pool: usize, memory: usize, suspended_count: u32)
        [pool, memory, suspended_count, stack_pointer()] "`TX_TRACE_BLOCK_RELEASE`."
    21 byte_pool_create BYTE_POOL (pool: usize, pool_start: usize, pool_size: usize)
        [pool, pool_start, pool_size, stack_pointer()] "`TX_TRACE_BYTE_POOL_CREATE`."
    22 byte_pool_delete BYTE_POOL (pool: usize)
        [pool, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_BYTE_POOL_DELETE`."
    23 byte_pool_info_get BYTE_POOL (pool: usize)
        [pool, NOTHING, NOTHING, NOTHING] "`TX_TRACE_BYTE_POOL_INFO_GET`."
    24 byte_pool_performance_info_get BYTE_POOL (pool: usize)
        [pool, NOTHING, NOTHING, NOTHING] "`TX_TRACE_BYTE_POOL_PERFORMANCE_INFO_GET`."
    25 byte_pool_performance_system_info_get BYTE_POOL ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_BYTE_POOL__PERFORMANCE_SYSTEM_INFO_GET`."
    26 byte_pool_prioritize BYTE_POOL (pool: usize, suspended_count: u32)
        [pool, suspended_count, stack_pointer(), NOTHING] "`TX_TRACE_BYTE_POOL_PRIORITIZE`."
    27 byte_release BYTE_POOL (pool: usize, memory: usize, suspended_count: u32, available_bytes: usize)
        [pool, memory, suspended_count, available_bytes] "`TX_TRACE_BYTE_RELEASE`."
    30 event_flags_create EVENT_FLAGS (group: usize)
        [group, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_EVENT_FLAGS_CREATE`."
    31 event_flags_delete EVENT_FLAGS (group: usize)
        [group, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_EVENT_FLAGS_DELETE`."
    32 event_flags_get EVENT_FLAGS (group: usize, requested_flags: u32, current_flags: u32, get_option: u32)
        [group, requested_flags, current_flags, get_option] "`TX_TRACE_EVENT_FLAGS_GET`, with the flags before the call and 0 (or), 1 (or, clear), 2 (and) or 3 (and, clear)."
    33 event_flags_info_get EVENT_FLAGS (group: usize)
        [group, NOTHING, NOTHING, NOTHING] "`TX_TRACE_EVENT_FLAGS_INFO_GET`."
    34 event_flags_performance_info_get EVENT_FLAGS (group: usize)
        [group, NOTHING, NOTHING, NOTHING] "`TX_TRACE_EVENT_FLAGS_PERFORMANCE_INFO_GET`."
    35 event_flags_performance_system_info_get EVENT_FLAGS ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_EVENT_FLAGS__PERFORMANCE_SYSTEM_INFO_GET`."
    36 event_flags_set EVENT_FLAGS (group: usize, flags_to_set: u32, set_option: u32, suspended_count: u32)
        [group, flags_to_set, set_option, suspended_count] "`TX_TRACE_EVENT_FLAGS_SET`, with 0 (or) or 2 (and)."
    37 event_flags_set_notify EVENT_FLAGS (group: usize)
        [group, NOTHING, NOTHING, NOTHING] "`TX_TRACE_EVENT_FLAGS_SET_NOTIFY`."
    40 interrupt_control INTERRUPT_CONTROL (new_posture: u32)
        [new_posture, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_INTERRUPT_CONTROL`, with the new interrupt posture."
    50 mutex_create MUTEX (mutex: usize, inheritance: bool)
        [mutex, inheritance, stack_pointer(), NOTHING] "`TX_TRACE_MUTEX_CREATE`."
    51 mutex_delete MUTEX (mutex: usize)
        [mutex, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_MUTEX_DELETE`."
    52 mutex_get MUTEX (mutex: usize, wait_option: u32, owning_thread: usize, ownership_count: u32)
        [mutex, wait_option, owning_thread, ownership_count] "`TX_TRACE_MUTEX_GET`, with the mutex's owner (0 if none) and count before the call."
    53 mutex_info_get MUTEX (mutex: usize)
        [mutex, NOTHING, NOTHING, NOTHING] "`TX_TRACE_MUTEX_INFO_GET`."
    54 mutex_performance_info_get MUTEX (mutex: usize)
        [mutex, NOTHING, NOTHING, NOTHING] "`TX_TRACE_MUTEX_PERFORMANCE_INFO_GET`."
    55 mutex_performance_system_info_get MUTEX ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_MUTEX_PERFORMANCE_SYSTEM_INFO_GET`."
    56 mutex_prioritize MUTEX (mutex: usize, suspended_count: u32)
        [mutex, suspended_count, stack_pointer(), NOTHING] "`TX_TRACE_MUTEX_PRIORITIZE`."
    57 mutex_put MUTEX (mutex: usize, owning_thread: usize, ownership_count: u32)
        [mutex, owning_thread, ownership_count, stack_pointer()] "`TX_TRACE_MUTEX_PUT`, with the count before the call: at 1, the mutex becomes free."
    60 queue_create QUEUE (queue: usize, message_words: u32, queue_start: usize, queue_size: usize)
        [queue, message_words, queue_start, queue_size] "`TX_TRACE_QUEUE_CREATE`, with the message's size in words."
    61 queue_delete QUEUE (queue: usize)
        [queue, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_QUEUE_DELETE`."
    62 queue_flush QUEUE (queue: usize)
        [queue, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_QUEUE_FLUSH`."
    63 queue_front_send QUEUE (queue: usize, source: usize, wait_option: u32, enqueued: u32)
        [queue, source, wait_option, enqueued] "`TX_TRACE_QUEUE_FRONT_SEND`, with the number of messages in the queue before the call."
    64 queue_info_get QUEUE (queue: usize)
        [queue, NOTHING, NOTHING, NOTHING] "`TX_TRACE_QUEUE_INFO_GET`."
    65 queue_performance_info_get QUEUE (queue: usize)
        [queue, NOTHING, NOTHING, NOTHING] "`TX_TRACE_QUEUE_PERFORMANCE_INFO_GET`."
    66 queue_performance_system_info_get QUEUE ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_QUEUE_PERFORMANCE_SYSTEM_INFO_GET`."
    67 queue_prioritize QUEUE (queue: usize, suspended_count: u32)
        [queue, suspended_count, stack_pointer(), NOTHING] "`TX_TRACE_QUEUE_PRIORITIZE`."
    68 queue_receive QUEUE (queue: usize, destination: usize, wait_option: u32, enqueued: u32)
        [queue, destination, wait_option, enqueued] "`TX_TRACE_QUEUE_RECEIVE`, with the number of messages in the queue before the call."
    69 queue_send QUEUE (queue: usize, source: usize, wait_option: u32, enqueued: u32)
        [queue, source, wait_option, enqueued] "`TX_TRACE_QUEUE_SEND`, with the number of messages in the queue before the call."
    70 queue_send_notify QUEUE (queue: usize)
        [queue, NOTHING, NOTHING, NOTHING] "`TX_TRACE_QUEUE_SEND_NOTIFY`."
    80 semaphore_ceiling_put SEMAPHORE (semaphore: usize, current_count: u32, suspended_count: u32, ceiling: u32)
        [semaphore, current_count, suspended_count, ceiling] "`TX_TRACE_SEMAPHORE_CEILING_PUT`, with the count before the call."
    81 semaphore_create SEMAPHORE (semaphore: usize, initial_count: u32)
        [semaphore, initial_count, stack_pointer(), NOTHING] "`TX_TRACE_SEMAPHORE_CREATE`."
    82 semaphore_delete SEMAPHORE (semaphore: usize)
        [semaphore, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_SEMAPHORE_DELETE`."
    83 semaphore_get SEMAPHORE (semaphore: usize, wait_option: u32, current_count: u32)
        [semaphore, wait_option, current_count, stack_pointer()] "`TX_TRACE_SEMAPHORE_GET`, with the count before the call."
    84 semaphore_info_get SEMAPHORE (semaphore: usize)
        [semaphore, NOTHING, NOTHING, NOTHING] "`TX_TRACE_SEMAPHORE_INFO_GET`."
    85 semaphore_performance_info_get SEMAPHORE (semaphore: usize)
        [semaphore, NOTHING, NOTHING, NOTHING] "`TX_TRACE_SEMAPHORE_PERFORMANCE_INFO_GET`."
    86 semaphore_performance_system_info_get SEMAPHORE ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_SEMAPHORE__PERFORMANCE_SYSTEM_INFO_GET`."
    87 semaphore_prioritize SEMAPHORE (semaphore: usize, suspended_count: u32)
        [semaphore, suspended_count, stack_pointer(), NOTHING] "`TX_TRACE_SEMAPHORE_PRIORITIZE`."
    88 semaphore_put SEMAPHORE (semaphore: usize, current_count: u32, suspended_count: u32)
        [semaphore, current_count, suspended_count, stack_pointer()] "`TX_TRACE_SEMAPHORE_PUT`, with the count before the call."
    89 semaphore_put_notify SEMAPHORE (semaphore: usize)
        [semaphore, NOTHING, NOTHING, NOTHING] "`TX_TRACE_SEMAPHORE_PUT_NOTIFY`."
    100 thread_create THREAD (thread: usize, priority: u32, stack_start: usize, stack_size: usize)
        [thread, priority, stack_start, stack_size] "`TX_TRACE_THREAD_CREATE`."
    101 thread_delete THREAD (thread: usize)
        [thread, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_THREAD_DELETE`."
    102 thread_entry_exit_notify THREAD (thread: usize, thread_state: ThreadState)
        [thread, thread_state, NOTHING, NOTHING] "`TX_TRACE_THREAD_ENTRY_EXIT_NOTIFY`."
    103 thread_identify THREAD ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_THREAD_IDENTIFY`."
    104 thread_info_get THREAD (thread: usize, thread_state: ThreadState)
        [thread, thread_state, NOTHING, NOTHING] "`TX_TRACE_THREAD_INFO_GET`."
    105 thread_performance_info_get THREAD (thread: usize, thread_state: ThreadState)
        [thread, thread_state, NOTHING, NOTHING] "`TX_TRACE_THREAD_PERFORMANCE_INFO_GET`."
    106 thread_performance_system_info_get THREAD ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_THREAD_PERFORMANCE_SYSTEM_INFO_GET`."
    107 thread_preemption_change THREAD (thread: usize, new_threshold: u32, old_threshold: u32, thread_state: ThreadState)
        [thread, new_threshold, old_threshold, thread_state] "`TX_TRACE_THREAD_PREEMPTION_CHANGE`."
    108 thread_priority_change THREAD (thread: usize, new_priority: u32, old_priority: u32, thread_state: ThreadState)
        [thread, new_priority, old_priority, thread_state] "`TX_TRACE_THREAD_PRIORITY_CHANGE`, with the thread's state."
    109 thread_relinquish THREAD (next_thread: usize)
        [stack_pointer(), next_thread, NOTHING, NOTHING] "`TX_TRACE_THREAD_RELINQUISH`: `next_thread` is next, possibly the caller."
    110 thread_reset THREAD (thread: usize, thread_state: ThreadState)
        [thread, thread_state, NOTHING, NOTHING] "`TX_TRACE_THREAD_RESET`."
    111 thread_resume THREAD (thread: usize, thread_state: ThreadState)
        [thread, thread_state, stack_pointer(), NOTHING] "`TX_TRACE_THREAD_RESUME_API`: the service, called by the running context; for the scheduler's action see [`ThreadXRecorder::resume`]."
    112 thread_sleep THREAD (sleep_value: u32, thread_state: ThreadState)
        [sleep_value, thread_state, stack_pointer(), NOTHING] "`TX_TRACE_THREAD_SLEEP`, called by the running thread."
    113 thread_stack_error_notify THREAD ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_THREAD_STACK_ERROR_NOTIFY`."
    114 thread_suspend THREAD (thread: usize, thread_state: ThreadState)
        [thread, thread_state, stack_pointer(), NOTHING] "`TX_TRACE_THREAD_SUSPEND_API`: the service, called by the running context; for the scheduler's action see [`ThreadXRecorder::suspend`]."
    115 thread_terminate THREAD (thread: usize, thread_state: ThreadState)
        [thread, thread_state, stack_pointer(), NOTHING] "`TX_TRACE_THREAD_TERMINATE`."
    116 thread_time_slice_change THREAD (thread: usize, new_time_slice: u32, old_time_slice: u32)
        [thread, new_time_slice, old_time_slice, NOTHING] "`TX_TRACE_THREAD_TIME_SLICE_CHANGE`."
    117 thread_wait_abort THREAD (thread: usize, thread_state: ThreadState)
        [thread, thread_state, NOTHING, NOTHING] "`TX_TRACE_THREAD_WAIT_ABORT`."
    120 time_get TIME (current_time: u32)
        [current_time, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_TIME_GET`."
    121 time_set TIME (new_time: u32)
        [new_time, NOTHING, NOTHING, NOTHING] "`TX_TRACE_TIME_SET`."
    122 timer_activate TIMER (timer: usize)
        [timer, NOTHING, NOTHING, NOTHING] "`TX_TRACE_TIMER_ACTIVATE`."
    123 timer_change TIMER (timer: usize, initial_ticks: u32, reschedule_ticks: u32)
        [timer, initial_ticks, reschedule_ticks, NOTHING] "`TX_TRACE_TIMER_CHANGE`."
    124 timer_create TIMER (timer: usize, initial_ticks: u32, reschedule_ticks: u32, enable: bool)
        [timer, initial_ticks, reschedule_ticks, enable] "`TX_TRACE_TIMER_CREATE`."
    125 timer_deactivate TIMER (timer: usize)
        [timer, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_TIMER_DEACTIVATE`."
    126 timer_delete TIMER (timer: usize)
        [timer, NOTHING, NOTHING, NOTHING] "`TX_TRACE_TIMER_DELETE`."
    127 timer_info_get TIMER (timer: usize)
        [timer, stack_pointer(), NOTHING, NOTHING] "`TX_TRACE_TIMER_INFO_GET`."
    128 timer_performance_info_get TIMER (timer: usize)
        [timer, NOTHING, NOTHING, NOTHING] "`TX_TRACE_TIMER_PERFORMANCE_INFO_GET`."
    129 timer_performance_system_info_get TIMER ()
        [NOTHING, NOTHING, NOTHING, NOTHING] "`TX_TRACE_TIMER_PERFORMANCE_SYSTEM_INFO_GET`."
}
