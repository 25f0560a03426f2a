/// Defines the functions that `embassy-executor` calls when it is built with its feature
/// `trace` (versions 0.8 to 0.10), and forwards them to a `static`
/// [`KernelObserver`](crate::hooks::KernelObserver). Use it once in a program.
///
/// ```
/// use rtoscope_record::cswitch::SwitchLog;
/// use rtoscope_record::hooks::SwitchObserver;
/// use rtoscope_record::port::{NullClock, SpinLock};
///
/// static LOG: SwitchLog<SpinLock, NullClock> = SwitchLog::new(SpinLock::new(), NullClock);
/// static TASKS: SwitchObserver<SwitchLog<SpinLock, NullClock>, SpinLock, 16> =
///     SwitchObserver::new(&LOG, SpinLock::new());
/// rtoscope_record::embassy_trace!(TASKS);
/// # fn main() {}
/// ```
///
/// The executor does not pass names. Set them with
/// [`KernelObserver::task_new`](crate::hooks::KernelObserver::task_new) and
/// `SpawnToken::id`; otherwise the numbers of the tasks are their names. The macro
/// distinguishes an executor that runs in an interrupt from the executor that it
/// interrupts.
#[macro_export]
macro_rules! embassy_trace {
    ($observer:path) => {
        const _: () = {
            use $crate::hooks::KernelObserver;

            #[no_mangle]
            fn _embassy_trace_poll_start(executor: u32) {
                $observer.poll_begin(executor);
            }
            #[no_mangle]
            fn _embassy_trace_task_new(_executor: u32, task: u32) {
                $observer.task_new(task, None);
            }
            #[no_mangle]
            fn _embassy_trace_task_end(_executor: u32, task: u32) {
                $observer.task_terminated(task);
            }
            #[no_mangle]
            fn _embassy_trace_task_exec_begin(_executor: u32, task: u32) {
                $observer.task_exec_begin(task);
            }
            #[no_mangle]
            fn _embassy_trace_task_exec_end(_executor: u32, _task: u32) {
                $observer.task_exec_end();
            }
            #[no_mangle]
            fn _embassy_trace_task_ready_begin(_executor: u32, task: u32) {
                $observer.task_ready(task);
            }
            #[no_mangle]
            fn _embassy_trace_executor_idle(executor: u32) {
                $observer.poll_end(executor);
            }
        };
    };
}
