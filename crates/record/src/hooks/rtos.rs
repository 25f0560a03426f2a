/// Defines the functions that the crate `rtos-trace` calls and forwards them to a
/// `static` [`KernelObserver`](crate::hooks::KernelObserver). Use it once in a program.
///
/// Names come from `task_send_info` and `task_new_stackless`. The program starts and
/// stops the recorder, because it owns the memory. The functions do not identify
/// executors that interrupt one another; embassy's own hooks
/// ([`embassy_trace!`](crate::embassy_trace)) do.
#[macro_export]
macro_rules! rtos_trace {
    ($observer:path) => {
        const _: () = {
            use $crate::hooks::{KernelObserver, rtos_trace};

            struct Trace;

            impl rtos_trace::RtosTrace for Trace {
                fn start() {}
                fn stop() {}
                fn task_new(id: u32) {
                    $observer.task_new(id, None);
                }
                fn task_send_info(id: u32, info: rtos_trace::TaskInfo) {
                    $observer.task_new(id, Some(info.name));
                }
                fn task_new_stackless(id: u32, name: &'static str, _priority: u32) {
                    $observer.task_new(id, Some(name));
                }
                fn task_terminate(id: u32) {
                    $observer.task_terminated(id);
                }
                fn task_exec_begin(id: u32) {
                    $observer.task_exec_begin(id);
                }
                fn task_exec_end() {
                    $observer.task_exec_end();
                }
                fn task_ready_begin(id: u32) {
                    $observer.task_ready(id);
                }
                fn task_ready_end(id: u32) {
                    $observer.task_blocked(id);
                }
                fn system_idle() {
                    $observer.system_idle();
                }
                fn isr_enter() {
                    $observer.isr_enter();
                }
                fn isr_exit() {
                    $observer.isr_exit();
                }
                fn isr_exit_to_scheduler() {
                    $observer.isr_exit();
                }
                fn name_marker(_id: u32, _name: &'static str) {}
                fn marker(id: u32) {
                    $observer.marker(id);
                }
                fn marker_begin(id: u32) {
                    $observer.marker_begin(id);
                }
                fn marker_end(id: u32) {
                    $observer.marker_end(id);
                }
            }

            rtos_trace::global_trace! { Trace }
        };
    };
}
