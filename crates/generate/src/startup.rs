//! Events before the scheduler starts.

use crate::creation::Creation;
use crate::event::{Dispatch, id};
use crate::facts::KernelFact;
use crate::kernel::Kernel;
use crate::thread::ThreadState;
use crate::truth::DispatchCause;

/// Runs the initialisation, which begins at `time` on the first core, and
/// starts every core's scheduler.
pub(crate) fn start(kernels: &mut [Kernel], creations: &[Creation], time: u64) {
    let Some(first) = kernels.first_mut() else {
        return;
    };
    first.now = time;
    // tx_trace_enable logs two.
    first.log(id::RUNNING, [0; 4]);
    first.log(id::RUNNING, [0; 4]);
    for creation in creations {
        create(kernels, creation);
    }
    let end = kernels.first().map_or(time, |first| first.now);
    for kernel in kernels.iter_mut() {
        kernel.now = end;
        kernel.start_interrupts();
        kernel.reschedule(DispatchCause::Start);
    }
    if let Some(first) = kernels.first_mut() {
        first.note_dispatch(Dispatch::Start);
    }
}

fn create(kernels: &mut [Kernel], creation: &Creation) {
    let (Some(first), Some(event)) = (kernels.first_mut(), &creation.event) else {
        return;
    };
    let mut info = event.info;
    if let Some(field) = event.stack_field
        && let Some(field) = info.get_mut(usize::from(field))
    {
        *field = first.stack_pointer();
    }
    first.log(event.id, info);
    let Some((core, index)) = creation.thread else {
        return;
    };
    let Some(kernel) = kernels.get_mut(usize::from(core)) else {
        return;
    };
    kernel.make_ready(index);
    let number = kernel.number(index);
    if let Some(first) = kernels.first_mut() {
        first.record_fact(KernelFact::Created(number));
        let stack = first.stack_pointer();
        let next = first.execute_pointer();
        let previous = ThreadState::Suspended.word();
        first.log(id::THREAD_RESUME, [creation.pointer, previous, stack, next]);
        first.record_fact(KernelFact::Ready(number));
    }
}
