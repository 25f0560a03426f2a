//! What an event means to a scheduler, in words that every format shares.

use crate::{ActiveObjectEvent, Address, ContextId, Event, IsrFunction, ObjectClass, ObjectId};

macro_rules! waits {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// Why a thread does not want the processor.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Wait {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Wait {
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
    /// Somebody suspended it, or it has not been started.
    Suspended "suspended";
    /// It sleeps for a time.
    Sleep "sleep";
    /// It waits for a message, or for room for one.
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

impl Wait {
    /// Whether the thread has ended, rather than waiting for something.
    pub const fn is_end(self) -> bool {
        matches!(self, Self::Completed | Self::Terminated)
    }

    /// The class of the objects that threads wait for in this way.
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

/// An object of a trace that threads share: index into
/// [`Interpret::resources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(pub u32);

impl ResourceId {
    /// The number as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An object that events speak of, registered or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resource {
    /// What it is.
    pub class: ObjectClass,
    /// Where it lies.
    pub address: Address,
    /// The registered object of that class and address; of several, the
    /// living one.
    pub object: Option<ObjectId>,
    /// The level that it cannot exceed, if that is known: messages of a queue,
    /// blocks or bytes of a pool.
    pub capacity: Option<u64>,
    /// The active object that gets its events from this queue.
    pub owner: Option<ContextId>,
}

/// What an event means to a scheduler, beside that its context executed.
///
/// `next` is who the kernel was about to execute when the event was logged:
/// a thread, [`Contexts::IDLE`](crate::Contexts::IDLE), or
/// [`ContextId::UNKNOWN`] where the record does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchedEvent {
    /// Nothing.
    None,
    /// A thread becomes ready.
    Resume {
        /// The thread.
        thread: ContextId,
        /// What it waited for.
        wait_reason: Wait,
        /// Who is about to execute.
        next: ContextId,
    },
    /// A thread stops being ready.
    Suspend {
        /// The thread.
        thread: ContextId,
        /// What it waits for.
        wait_reason: Wait,
        /// Who is about to execute.
        next: ContextId,
    },
    /// A thread comes into being. It is suspended until it is resumed.
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
        /// What it waited for, which no record of a suspension will end. `None`
        /// for a ready thread: its suspension is recorded.
        wait_reason: Option<Wait>,
    },
    /// A thread that has ended can be started again: it is suspended.
    Reset {
        /// The thread.
        thread: ContextId,
    },
    /// A thread that has ended no longer exists.
    Delete {
        /// The thread.
        thread: ContextId,
    },
    /// A call suspends a thread that waits: it is suspended once its wait ends.
    DelayedSuspend {
        /// The thread.
        thread: ContextId,
        /// Whether the suspension is requested, or an earlier request is
        /// cancelled.
        requested: bool,
    },
    /// A call changes a thread's own priority (0 is the highest). It does not
    /// lower its effective priority below one that the thread inherits.
    Priority {
        /// The thread.
        thread: ContextId,
        /// Its own priority from now on.
        priority: u16,
        /// Its effective priority before the call, inherited or not.
        effective: u16,
    },
    /// A thread's priority changes to one that the record does not give, as
    /// with priority inheritance. It stays as ready as it was.
    Reprioritise {
        /// The thread.
        thread: ContextId,
        /// Whether this is the record that ends the change, of two.
        done: bool,
    },
    /// The running thread is about to sleep, which its suspension should follow.
    Sleep,
    /// The running thread lets others of its priority execute.
    Yield {
        /// Who is about to execute on this core.
        next: ContextId,
    },
    /// The running thread's time slice is over.
    TimeSlice {
        /// Who is about to execute.
        next: ContextId,
    },
    /// An interrupt service routine begins.
    IsrEnter {
        /// The number that the application gave it, or its place in
        /// [`Interpret::routines`] where these have addresses instead.
        number: u32,
    },
    /// An interrupt service routine ends.
    IsrExit {
        /// As in [`Act::IsrEnter`].
        number: u32,
    },
    /// From this event on, its core executes somebody. Only in traces whose
    /// [`SwitchModel`](crate::SwitchModel) says so.
    Switch {
        /// A thread; [`Contexts::IDLE`](crate::Contexts::IDLE);
        /// [`Contexts::INTERRUPT`](crate::Contexts::INTERRUPT) where the core
        /// leaves idle for an interrupt, until the next switch; or
        /// [`ContextId::UNKNOWN`].
        to: ContextId,
    },
    /// An interrupt ends without a switch: what it interrupted goes on. Only in
    /// traces whose [`SwitchModel`](crate::SwitchModel) says so.
    Return {
        /// The thread that goes on; [`ContextId::UNKNOWN`] if the record does
        /// not say.
        to: ContextId,
    },
    /// Interrupts are disabled on this core, or stay so. Where in the code
    /// is said by [`Trace::code_address`](crate::Trace::code_address).
    InterruptsDisabled {
        /// Whether they were disabled before.
        already_disabled: bool,
    },
    /// Interrupts are enabled on this core.
    InterruptsRestored,
    /// A thread asks for a mutex.
    Acquire {
        /// The mutex.
        resource: ResourceId,
        /// Who owns it; [`Contexts::IDLE`](crate::Contexts::IDLE) if nobody.
        owner: ContextId,
        /// Whether the thread waits if somebody else owns it.
        waits: bool,
        /// Whether the owner inherits the priority of those that wait.
        inherits: bool,
    },
    /// A thread gives a mutex back.
    Release {
        /// The mutex.
        resource: ResourceId,
        /// Who owned it; [`Contexts::IDLE`](crate::Contexts::IDLE) if nobody.
        owner: ContextId,
        /// Whether it is free now, or goes to the next that waits.
        last: bool,
    },
    /// A thread, or an interrupt, uses another object.
    Use {
        /// The object.
        resource: ResourceId,
        /// What it does to the object's level.
        effect: LevelEffect,
        /// The object's level *before* the call: messages in a queue, a
        /// semaphore's count, free blocks. [`Act::NO_LEVEL`] if the record
        /// does not say.
        level: u32,
        /// Whether the thread waits if it cannot be served.
        waits: bool,
    },
}

/// What a call does to the level of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LevelEffect {
    /// Adds one, or gives it to a thread that waits: a message is sent.
    Put,
    /// Adds one that will be taken first, or gives it to a thread that waits.
    PutFront,
    /// Adds one, and no thread waits for it: a semaphore is put, a block is
    /// released.
    Store,
    /// Gives one to a thread that waits for it: the level stays.
    Deliver,
    /// Would add one and does not, because the level has reached its ceiling.
    Refuse,
    /// Takes one.
    Take,
    /// Gives back an amount that the record does not give: bytes are released,
    /// event flags are set.
    Add,
    /// Takes an amount that the record does not give: bytes are allocated,
    /// event flags are requested.
    Remove,
    /// Removes all.
    Flush,
    /// None of these.
    Other,
}

impl LevelEffect {
    /// Whether the call gives something to the object.
    pub const fn is_put(self) -> bool {
        matches!(
            self,
            Self::Put | Self::PutFront | Self::Store | Self::Deliver | Self::Refuse | Self::Add
        )
    }

    /// Whether the call asks the object for something.
    pub const fn is_take(self) -> bool {
        matches!(self, Self::Take | Self::Remove)
    }
}

impl SchedEvent {
    /// How many acts are best handed on at once: enough that it costs nothing,
    /// few enough for a processor's cache.
    pub const BATCH_LEN: usize = 1 << 14;

    /// The level where a record gives none.
    pub const UNKNOWN_LEVEL: u32 = u32::MAX;
}

/// Says what events mean to a scheduler. Each format has its own.
///
/// Events are to be given in trace order.
pub trait Interpret {
    /// What an event means.
    fn sched_event(&mut self, event: &Event) -> SchedEvent;

    /// What the event last given does to an object, where that is not what
    /// [`act`](Self::act) said of it.
    fn secondary_event(&self) -> Option<SchedEvent> {
        None
    }

    /// The objects that the acts so far speak of. Only ever grows.
    fn resources(&self) -> &[Resource];

    /// The interrupt service routines that the numbers of [`Act::IsrEnter`] and
    /// [`Act::IsrExit`] so far stand for, by their number. Only ever grows.
    /// Empty in a format whose routines have numbers of their own.
    fn isr_functions(&self) -> &[IsrFunction] {
        &[]
    }

    /// What an event means to active objects; nothing in a format that has none.
    fn active_object_event(&self, _event: &Event) -> ActiveObjectEvent {
        ActiveObjectEvent::None
    }
}

impl<I: Interpret + ?Sized> Interpret for Box<I> {
    fn sched_event(&mut self, event: &Event) -> SchedEvent {
        (**self).sched_event(event)
    }

    fn secondary_event(&self) -> Option<SchedEvent> {
        (**self).secondary_event()
    }

    fn resources(&self) -> &[Resource] {
        (**self).resources()
    }

    fn isr_functions(&self) -> &[IsrFunction] {
        (**self).isr_functions()
    }

    fn active_object_event(&self, event: &Event) -> ActiveObjectEvent {
        (**self).active_object_event(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_act_is_small() {
        assert!(size_of::<SchedEvent>() <= 12);
    }

    #[test]
    fn reasons_have_names_of_their_own() {
        let mut names: Vec<_> = Wait::ALL.iter().map(|wait| wait.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Wait::ALL.len());
    }
}
