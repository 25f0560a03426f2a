/// Defines what `embassy-executor` calls when it is built with its feature
/// `trace` (versions 0.8 to 0.10), and tells it to a `static`
/// [`KernelObserver`](crate::hooks::KernelObserver): once in a program.
///
/// ```
/// use rtoscope_record::cswitch::Log;
/// use rtoscope_record::hooks::SwitchObserver;
/// use rtoscope_record::port::{Spin, Stopped};
///
/// static LOG: Log<Spin, Stopped> = Log::new(Spin::new(), Stopped);
/// static TASKS: SwitchObserver<Log<Spin, Stopped>, Spin, 16> =
///     SwitchObserver::new(&LOG, Spin::new());
/// rtoscope_record::embassy_trace!(TASKS);
/// # fn main() {}
/// ```
///
/// The executor does not tell names: give them by
/// [`KernelObserver::task_new`](crate::hooks::KernelObserver::task_new) with
/// `SpawnToken::id`, or the tasks are called by their numbers. An executor that
/// runs in an interrupt is told from the one that it interrupts.
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
