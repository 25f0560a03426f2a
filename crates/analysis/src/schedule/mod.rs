//! The schedule: one pass over what events mean to a scheduler.

mod activation;
mod builder;
mod contradiction;
mod core;
mod dispatch;
mod interrupts_off;
mod inversion;
mod lock;
mod slice;
mod thread;
mod transfer;

pub use activation::{IsrActivation, IsrActivationId};
pub use builder::ScheduleBuilder;
pub use contradiction::{Contradiction, ContradictionKind};
pub use dispatch::{Dispatch, Preemption, PriorityChange, SwitchCause};
pub use interrupts_off::{InterruptsOffEnding, InterruptsOffSection};
pub use inversion::{Culprit, Inversion};
pub use lock::{LockEnding, MutexHold};
pub use slice::{CoreSlices, Running, RunningContext, Slice};
pub use thread::{ThreadState, ThreadStateInterval};
pub use transfer::Transfer;

use rtoscope_trace::{
    ContextId, Diagnostics, EventIndex, Interpret, IsrFunction, Resource, Ticks, Trace,
};

/// Who executed when, and what threads did meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Ticks from the first event to the last.
    pub span: Ticks,
    /// What each core executed, by the core's number.
    pub cores: Vec<CoreSlices>,
    /// What became of each context that is a thread, in order of time: index is
    /// the [`ContextId`]. A stretch lasts until the
    /// next, the last until the end. Empty for the contexts that are no threads.
    pub threads: Vec<Vec<ThreadStateInterval>>,
    /// Every time that a thread was given a core, in trace order.
    pub dispatches: Vec<Dispatch>,
    /// Every time that a thread gave way to another and stayed ready.
    pub preemptions: Vec<Preemption>,
    /// The events that told that a thread executes from them on
    /// ([`Act::Switch`](rtoscope_trace::Act::Switch)), in trace order: more than
    /// dispatches where a thread follows itself. Empty where no event tells that.
    pub resumptions: Vec<EventIndex>,
    /// Changes of priority that look like suspensions and are none.
    pub priority_changes: Vec<PriorityChange>,
    /// Interrupt service routines, in the order of their start.
    pub activations: Vec<IsrActivation>,
    /// What the numbers of the routines stand for, where it is not the
    /// application that numbers them, by number.
    pub isr_functions: Vec<IsrFunction>,
    /// Times in which a core took no interrupts, in the order in which they
    /// ended, where that is recorded.
    pub interrupts_off: Vec<InterruptsOffSection>,
    /// Every time that a thread owned a mutex, in the order in which it got it.
    pub mutex_holds: Vec<MutexHold>,
    /// Priority inversions, in the order in which they began.
    pub inversions: Vec<Inversion>,
    /// What was put into an object, and who took it.
    pub transfers: Vec<Transfer>,
    /// Times that a thread executed, or stopped, without the scheduler's record of
    /// it: an event filter may have left it out.
    pub unrecorded: u64,
    /// The first of these events.
    pub first_unrecorded: Option<EventIndex>,
    /// States that cannot be, at most one of a kind for each thread. They are
    /// unknown in the above.
    pub contradictions: Vec<Contradiction>,
    /// The objects that the above speak of.
    pub resources: Vec<Resource>,
}

/// A thread is resumed by one event and executes from another on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WakeUp {
    /// The thread.
    pub thread: ContextId,
    /// The event that resumed it.
    pub cause: EventIndex,
    /// The last event before it executed, which can be the same.
    pub effect: EventIndex,
    /// When it was resumed.
    pub resumed: Ticks,
    /// From when on it executed.
    pub runs: Ticks,
}

impl Schedule {
    /// The diagnostics of the trace, then those of its contradictions.
    pub fn diagnostics(&self, trace: &Trace) -> Diagnostics {
        let mut all = trace.diagnostics.clone();
        all.extend(self.contradictions.iter().map(|it| it.diagnostic(trace)));
        all
    }

    /// The resumptions that led to an execution, of each thread in order of time.
    pub fn wake_ups(&self) -> impl Iterator<Item = WakeUp> {
        let threads = self.threads.iter().zip(0..);
        threads.flat_map(|(stretches, id)| {
            let triples = stretches.windows(3);
            triples.filter_map(move |triple| {
                let [before, ready, running] = triple else {
                    return None;
                };
                let woken = ready.is_wake_up(before) && running.state == ThreadState::Running;
                woken.then_some(WakeUp {
                    thread: ContextId(id),
                    cause: ready.event,
                    effect: running.event.max(ready.event),
                    resumed: ready.start,
                    runs: running.start,
                })
            })
        })
    }

    /// What a number of an activation stands for, where it is not the
    /// application that numbers routines.
    pub fn isr_function(&self, number: Option<u32>) -> Option<&IsrFunction> {
        self.isr_functions.get(usize::try_from(number?).ok()?)
    }

    /// A routine's name for people: that of its function, with its address
    /// where others have the same; `ISR 7` or `ISR (unnumbered)`.
    pub fn isr_name(&self, number: Option<u32>) -> String {
        let Some(routine) = self.isr_function(number) else {
            return match number {
                Some(number) => format!("ISR {number}"),
                None => "ISR (unnumbered)".to_owned(),
            };
        };
        let namesakes = self
            .isr_functions
            .iter()
            .filter(|it| it.name == routine.name);
        if routine.name.is_some() && namesakes.count() > 1 {
            return format!("{routine} ({})", routine.address);
        }
        routine.to_string()
    }

    /// The schedule of a whole trace.
    pub fn from_trace(trace: &Trace, interpreter: &mut impl Interpret) -> Self {
        let mut builder = ScheduleBuilder::new(trace);
        builder.push_events(trace, interpreter, trace.events.len());
        builder.finish(interpreter.resources(), interpreter.isr_functions())
    }
}
