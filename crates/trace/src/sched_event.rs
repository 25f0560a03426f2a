//! The meaning of an event to a scheduler, the same for all formats.

use crate::{
    ActiveObjectEvent, Address, ContextId, Event, IsrFunction, ObjectClass, ObjectId, Trace,
};

macro_rules! waits {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// Why a thread is waiting.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum WaitReason {
            $($(#[doc = $doc])* $variant,)*
        }

        impl WaitReason {
            /// All reasons.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in output, e.g. `event-flags`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

waits! {
    /// It was suspended by a call, or has not been started.
    Suspended "suspended";
    /// It sleeps for a time.
    Sleep "sleep";
    /// It waits for a message, or for free space for one.
    Queue "queue";
    /// It waits for a semaphore.
    Semaphore "semaphore";
    /// It waits for a mutex.
    Mutex "mutex";
    /// It waits for event flags.
    EventFlags "event-flags";
    /// It waits for a block of memory.
    BlockPool "block-pool";
    /// It waits for bytes of memory.
    BytePool "byte-pool";
    /// It waits for a device driver.
    Driver "driver";
    /// It waits for a file system.
    File "file";
    /// It waits for a network stack.
    Network "network";
    /// Its entry function returned.
    Completed "completed";
    /// It was terminated.
    Terminated "terminated";
    /// For a reason that the format does not name.
    Other "other";
}

impl WaitReason {
    /// Whether the thread has ended, rather than waits.
    pub const fn is_end(self) -> bool {
        matches!(self, Self::Completed | Self::Terminated)
    }

    /// What a waiting thread does, in words: `blocked on queue frames`, `waiting: sleep`,
    /// `completed`. `object` is the name of what it waits for, if known.
    pub fn describe(self, object: Option<&str>) -> String {
        let name = self.name();
        match object {
            _ if self.is_end() => name.to_owned(),
            Some(object) => format!("blocked on {name} {object}"),
            None => format!("waiting: {name}"),
        }
    }

    /// The class of the objects that threads wait for with this reason.
    pub const fn class(self) -> Option<ObjectClass> {
        Some(match self {
            Self::Queue => ObjectClass::Queue,
            Self::Semaphore => ObjectClass::Semaphore,
            Self::Mutex => ObjectClass::Mutex,
            Self::EventFlags => ObjectClass::EventFlags,
            Self::BlockPool => ObjectClass::BlockPool,
            Self::BytePool => ObjectClass::BytePool,
            _ => return None,
        })
    }
}

/// An object that threads share: index into [`Interpret::resources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(pub u32);

impl ResourceId {
    /// The number as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An object in events, registered or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resource {
    /// Its class.
    pub class: ObjectClass,
    /// Its address.
    pub address: Address,
    /// The registered object with that class and address; of several, the one
    /// that is not deleted.
    pub object: Option<ObjectId>,
    /// The level that it cannot exceed, if known: messages of a queue, blocks
    /// or bytes of a pool.
    pub capacity: Option<u64>,
    /// The active object that takes its events from this queue.
    pub owner: Option<ContextId>,
}

impl Resource {
    /// An object with a class and an address; no more is known.
    pub const fn new(class: ObjectClass, address: Address) -> Self {
        Self {
            class,
            address,
            object: None,
            capacity: None,
            owner: None,
        }
    }
}

/// The meaning of an event to a scheduler, apart from the fact that its context
/// ran.
///
/// `next` is the context that the kernel was about to run when the event was
/// logged: a thread, [`Contexts::IDLE`](crate::Contexts::IDLE), or
/// [`ContextId::UNKNOWN`] if the record does not name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchedEvent {
    /// No meaning.
    None,
    /// A thread becomes ready.
    Resume {
        /// The thread.
        thread: ContextId,
        /// The reason of its wait.
        wait_reason: WaitReason,
        /// The context that runs next.
        next: ContextId,
    },
    /// A thread stops being ready.
    Suspend {
        /// The thread.
        thread: ContextId,
        /// The reason of its wait.
        wait_reason: WaitReason,
        /// The context that runs next.
        next: ContextId,
    },
    /// A thread is created. It is suspended until it is resumed.
    Create {
        /// The thread.
        thread: ContextId,
        /// Its priority (0 is the highest).
        priority: u16,
    },
    /// A thread is terminated.
    Terminate {
        /// The thread.
        thread: ContextId,
        /// The reason of its wait, if it waited: then no record of a suspension
        /// follows. `None` for a ready thread, whose suspension is recorded.
        wait_reason: Option<WaitReason>,
    },
    /// A thread that has ended is reset, so that it can be started again: it is
    /// suspended.
    Reset {
        /// The thread.
        thread: ContextId,
    },
    /// A thread that has ended is deleted.
    Delete {
        /// The thread.
        thread: ContextId,
    },
    /// A call suspends a waiting thread: it is suspended once its wait ends.
    DelayedSuspend {
        /// The thread.
        thread: ContextId,
        /// Whether the suspension is requested, or an earlier request is
        /// cancelled.
        requested: bool,
    },
    /// A call changes a thread's own priority (0 is the highest). It does not
    /// lower its effective priority below an inherited one.
    Priority {
        /// The thread.
        thread: ContextId,
        /// Its own priority after the call.
        priority: u16,
        /// Its effective priority before the call, inherited or not.
        effective: u16,
    },
    /// A thread's priority changes to one that the record does not contain, as
    /// with priority inheritance. The thread stays ready or waiting.
    Reprioritise {
        /// The thread.
        thread: ContextId,
        /// Whether this is the second of the two records of the change.
        done: bool,
    },
    /// The running thread is about to sleep; its suspension should follow.
    Sleep,
    /// The running thread lets others of its priority run.
    Yield {
        /// The context that runs next on this core.
        next: ContextId,
    },
    /// The running thread's time slice has expired.
    TimeSlice {
        /// The context that runs next.
        next: ContextId,
    },
    /// An interrupt service routine begins.
    IsrEnter {
        /// The number that the application gave it, or its index in
        /// [`Interpret::isr_functions`] if ISRs are identified by addresses.
        number: u32,
    },
    /// An interrupt service routine ends.
    IsrExit {
        /// As in [`SchedEvent::IsrEnter`].
        number: u32,
    },
    /// From this event on, the core runs another context. Only in traces with
    /// an explicit [`SwitchModel`].
    Switch {
        /// A thread; [`Contexts::IDLE`](crate::Contexts::IDLE);
        /// [`Contexts::INTERRUPT`](crate::Contexts::INTERRUPT) if an interrupt
        /// ends idle, until the next switch; or [`ContextId::UNKNOWN`].
        to: ContextId,
        /// Whether it is a thread that an interrupt had preempted, or that starts.
        preempted: bool,
    },
    /// The running thread waits from now on and leaves its core. Only in traces with an explicit
    /// [`SwitchModel`].
    Stop {
        /// The thread.
        thread: ContextId,
        /// The reason of its wait.
        wait_reason: WaitReason,
        /// What the core runs then; [`ContextId::UNKNOWN`] if that is not recorded.
        next: ContextId,
    },
    /// An interrupt ends without a switch: the interrupted context continues.
    /// Only in traces with an explicit [`SwitchModel`].
    Return {
        /// The thread that continues; [`ContextId::UNKNOWN`] if the record does
        /// not name it.
        to: ContextId,
    },
    /// Interrupts are disabled on this core, or stay disabled.
    /// [`Trace::code_address`](crate::Trace::code_address) gives the code
    /// location.
    InterruptsDisabled {
        /// Whether they were disabled before.
        already_disabled: bool,
    },
    /// Interrupts are enabled on this core.
    InterruptsRestored,
    /// A thread requests a mutex.
    Acquire {
        /// The mutex.
        resource: ResourceId,
        /// The owner; [`Contexts::IDLE`](crate::Contexts::IDLE) if it is free.
        owner: ContextId,
        /// How often the owner holds it before the call; 255 stands for more, too.
        count: u8,
        /// Whether the thread waits if another one owns it.
        waits: bool,
        /// Whether the owner inherits the priority of waiting threads.
        inherits: bool,
    },
    /// A thread releases a mutex.
    Release {
        /// The mutex.
        resource: ResourceId,
        /// The owner before the call; [`Contexts::IDLE`](crate::Contexts::IDLE)
        /// if it was free.
        owner: ContextId,
        /// How often the owner holds it before the call; 255 stands for more, too. From 1
        /// on, this frees it, or hands it to the next waiting thread.
        count: u8,
    },
    /// A mutex is created: it has no owner.
    CreateMutex {
        /// The mutex.
        resource: ResourceId,
    },
    /// A thread, or an interrupt, uses another object.
    Use {
        /// The object.
        resource: ResourceId,
        /// The effect on the object's level.
        effect: LevelEffect,
        /// The object's level *before* the call: messages in a queue, a
        /// semaphore's count, free blocks. [`SchedEvent::UNKNOWN_LEVEL`] if it
        /// is not recorded.
        level: u32,
        /// Whether the thread waits if the call cannot be served.
        waits: bool,
    },
}

/// The effect of a call on the level of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LevelEffect {
    /// Adds one, or gives it to a waiting thread: a message is sent.
    Put,
    /// Adds one at the front, or gives it to a waiting thread.
    PutFront,
    /// Adds one, and no thread waits for it: a semaphore is put, a block is
    /// released.
    Store,
    /// Gives one to a waiting thread: the level stays.
    Deliver,
    /// Would add one and does not, because the level is at its ceiling.
    Refuse,
    /// Takes one.
    Take,
    /// Offers one to the thread that takes it next: nothing is stored, and the
    /// level stays 0 (rendezvous).
    Offer,
    /// Takes one from the thread that offers it.
    Accept,
    /// Gives back an amount that is not recorded: bytes are released, event
    /// flags are set.
    Add,
    /// Takes an amount that is not recorded: bytes are allocated, event flags
    /// are requested.
    Remove,
    /// Removes all.
    Flush,
    /// None of these.
    Other,
}

impl LevelEffect {
    /// Whether the call adds to the object.
    pub const fn is_put(self) -> bool {
        matches!(
            self,
            Self::Put
                | Self::PutFront
                | Self::Store
                | Self::Deliver
                | Self::Offer
                | Self::Refuse
                | Self::Add
        )
    }

    /// Whether the call takes from the object.
    pub const fn is_take(self) -> bool {
        matches!(self, Self::Take | Self::Accept | Self::Remove)
    }
}

impl SchedEvent {
    /// Number of scheduler events per batch: enough to make the hand-over
    /// cheap, few enough to fit into a processor's cache.
    pub const BATCH_LEN: usize = 1 << 12;

    /// The level if none is recorded.
    pub const UNKNOWN_LEVEL: u32 = u32::MAX;
}

/// How the running context follows from the events of a trace.
///
/// Recordings of calls and context-switch logs are read in opposite ways: in
/// the former, the context that logs an event ran up to it; in the latter, an
/// event names the context that runs from it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SwitchModel {
    /// From the contexts of events: the context that logs an event runs. What
    /// [`SchedEvent`] contains about threads is further
    /// evidence.
    #[default]
    Inferred,
    /// From [`SchedEvent::Switch`] and
    /// [`SchedEvent::Return`] alone: the running
    /// context stays the same in between, whatever the contexts of other events
    /// are. The context of an event is the thread on whose behalf it was
    /// logged, even within an interrupt.
    Explicit {
        /// Whether the recording has interrupt returns
        /// ([`SchedEvent::Return`]). If so, the
        /// interrupt continues after the exit of an ISR up to the return, or to
        /// a switch. If not, the interrupted context continues at the exit of
        /// the outermost ISR, which is the last known event of the interrupt.
        records_returns: bool,
        /// Whether the recording shows when threads become ready and when they start to
        /// wait ([`SchedEvent::Resume`] and [`SchedEvent::Suspend`]). If not, a thread that
        /// does not run is in an unknown state.
        records_states: bool,
        /// Whether a switch or a return is the end of the handlers that are active then. If not,
        /// they ended earlier, at an unknown time.
        ends_handlers: bool,
    },
}

impl SwitchModel {
    /// Whether the recording shows when threads become ready and when they wait.
    pub const fn records_states(self) -> bool {
        matches!(
            self,
            Self::Inferred
                | Self::Explicit {
                    records_states: true,
                    ..
                }
        )
    }
}

/// Interprets the events of a format for the scheduler and active objects. Each
/// format has its own implementation.
///
/// Events must be given in trace order. The trace may grow between them, as
/// long as it [continues](Trace::continues) what it was.
pub trait Interpret {
    /// The meaning of an event of `trace` to the scheduler.
    fn sched_event(&mut self, trace: &Trace, event: &Event) -> SchedEvent;

    /// A second effect of the last event, on an object, in addition to the
    /// result of [`sched_event`](Self::sched_event).
    fn secondary_event(&self) -> Option<SchedEvent> {
        None
    }

    /// The objects of the scheduler events so far. Only ever grows.
    fn resources(&self) -> &[Resource];

    /// The functions of the ISR numbers in [`SchedEvent::IsrEnter`] and
    /// [`SchedEvent::IsrExit`] so far, by number, with their names from the
    /// trace's code locations. Only ever grows. Empty for a format with its own
    /// ISR numbers.
    fn isr_functions(&self) -> &[IsrFunction] {
        &[]
    }

    /// The numbers of the ISRs whose exit the trace never records, although it records
    /// others: as of the trace for which the interpreter was created.
    fn exitless_isrs(&self) -> &[u32] {
        &[]
    }

    /// The meaning of an event of `trace` to active objects; none in a format
    /// without them.
    fn active_object_event(&self, _trace: &Trace, _event: &Event) -> ActiveObjectEvent {
        ActiveObjectEvent::None
    }

    /// Maximum number of later events on which the meaning of an event depends.
    fn max_look_ahead(&self) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sched_events_are_small() {
        assert!(size_of::<SchedEvent>() <= 12);
    }

    #[test]
    fn wait_reasons_have_unique_names() {
        let mut names: Vec<_> = WaitReason::ALL.iter().map(|wait| wait.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), WaitReason::ALL.len());
    }
}
