//! The schedule: one pass over scheduler events.

mod builder;
mod changes;
mod contradiction;
mod core;
mod delay_causes;
mod dispatch;
mod interrupts;
mod inversion;
mod lock;
mod slice;
mod thread;
mod transfer;
mod wake_ups;

pub use builder::ScheduleBuilder;
pub use changes::{ChangeKind, ScheduleChange, ScheduleChanges};
pub use contradiction::{Contradiction, ContradictionKind};
pub use delay_causes::{CauseTime, DelayCause, DelayCauses, DelayPart};
pub use dispatch::{Dispatch, Preemption, PriorityChange, Resumption, SwitchCause};
pub use interrupts::{
    InterruptsOffEnding, InterruptsOffSection, IsrActivation, IsrActivationId, StrayExits,
};
pub use inversion::{Culprit, Inversion};
pub use lock::{LockEnding, MutexHold};
pub use slice::{CoreSlices, Running, RunningContext, Slice};
pub use thread::{ThreadState, ThreadStateInterval};
pub use transfer::{Transfer, UntakenPut, UntakenReason};
pub use wake_ups::WakeUp;

use crate::PackedVec;
use rtoscope_trace::{
    ContextId, Diagnostics, EventIndex, Interpret, IsrFunction, Resource, Ticks, Trace,
};

/// The running contexts of each core, and the states of the threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Ticks from the first event to the last.
    pub span: Ticks,
    /// The slices of each core, by the core's number.
    pub cores: Vec<CoreSlices>,
    /// The state intervals of each thread, in order of time, by [`ContextId`].
    /// An interval lasts until the next, the last one until the end. Empty for
    /// contexts that are not threads.
    pub threads: Vec<PackedVec<ThreadStateInterval>>,
    /// All dispatches, in trace order.
    pub dispatches: PackedVec<Dispatch>,
    /// All preemptions: a thread gave way to another and stayed ready.
    pub preemptions: PackedVec<Preemption>,
    /// The events that explicitly dispatch a thread
    /// ([`SchedEvent::Switch`](rtoscope_trace::SchedEvent::Switch)), in trace
    /// order: more than dispatches if a thread follows itself. Empty for traces
    /// without explicit switches.
    pub resumptions: PackedVec<Resumption>,
    /// Changes of priority, which are recorded like suspensions and are none.
    pub priority_changes: Vec<PriorityChange>,
    /// Interrupt service routines, in the order of their start.
    pub activations: PackedVec<IsrActivation>,
    /// Exits of ISRs without an entry, by number.
    pub stray_exits: Vec<StrayExits>,
    /// The functions of the ISRs by number, if the application does not assign
    /// the numbers itself.
    pub isr_functions: Vec<IsrFunction>,
    /// Interrupts-off sections, in the order of their end, if they are
    /// recorded.
    pub interrupts_off: PackedVec<InterruptsOffSection>,
    /// All mutex holds, in the order of their start.
    pub mutex_holds: PackedVec<MutexHold>,
    /// Priority inversions, in the order of their start.
    pub inversions: Vec<Inversion>,
    /// Transfers from a put to a take of an object.
    pub transfers: PackedVec<Transfer>,
    /// Puts without a known take, in the order of their ends. Refused puts are among them
    /// only if a later level shows it.
    pub untaken_puts: Vec<UntakenPut>,
    /// Number of times that a thread ran, or stopped, without a scheduler
    /// record: an event filter may have suppressed it.
    pub unrecorded: u64,
    /// The first of these events.
    pub first_unrecorded: Option<EventIndex>,
    /// Impossible states, at most one of a kind for each thread. They are
    /// unknown in the fields above.
    pub contradictions: Vec<Contradiction>,
    /// The objects that the fields above refer to.
    pub resources: Vec<Resource>,
}

impl Schedule {
    /// The diagnostics of the trace, then those of its contradictions.
    pub fn diagnostics(&self, trace: &Trace) -> Diagnostics {
        let mut all = trace.diagnostics.clone();
        all.extend(self.contradictions.iter().map(|it| it.diagnostic(trace)));
        all
    }

    /// The state intervals of a thread, in order of time.
    pub fn thread_states(&self, thread: ContextId) -> &PackedVec<ThreadStateInterval> {
        static NONE: PackedVec<ThreadStateInterval> = PackedVec::new();
        self.threads.get(thread.index()).unwrap_or(&NONE)
    }

    /// The function of an ISR number, if the application does not assign the
    /// numbers itself.
    pub fn isr_function(&self, number: Option<u32>) -> Option<&IsrFunction> {
        self.isr_functions.get(usize::try_from(number?).ok()?)
    }

    /// An ISR's display name: that of its function, with its address if others
    /// have the same name; `ISR 7` or `ISR (unnumbered)`.
    pub fn isr_name(&self, number: Option<u32>) -> String {
        let Some(isr_function) = self.isr_function(number) else {
            return match number {
                Some(number) => format!("ISR {number}"),
                None => "ISR (unnumbered)".to_owned(),
            };
        };
        let namesakes = self
            .isr_functions
            .iter()
            .filter(|it| it.name == isr_function.name);
        if isr_function.name.is_some() && namesakes.count() > 1 {
            return format!("{isr_function} ({})", isr_function.address);
        }
        isr_function.to_string()
    }

    /// Builds the schedule of a whole trace.
    pub fn from_trace(trace: &Trace, interpreter: &mut impl Interpret) -> Self {
        let mut builder = ScheduleBuilder::new(trace);
        builder.push_events(trace, interpreter, trace.events.len());
        builder.finish(interpreter.resources(), interpreter.isr_functions())
    }
}
