//! What the kinds of records mean, whatever numbers a version of RKH gave them.

use rtoscope_trace::catalogue::More;
use rtoscope_trace::reaction::Outcome;
use rtoscope_trace::{Catalogue, Kind, KindId, ObjectClass};

/// What a kind of record means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Role {
    #[default]
    Other,
    /// The framework begins to schedule.
    Enter,
    /// The target's configuration.
    Target,
    PoolInit,
    PoolGet,
    PoolPut,
    QueueInit,
    /// An element is taken, and some are left.
    QueueGet,
    /// The last element is taken.
    QueueGetLast,
    QueueFifo,
    QueueLifo,
    /// Another record of a queue.
    Queue,
    Register,
    Activate,
    Terminate,
    Unregister,
    Take,
    PostFifo,
    PostLifo,
    Defer,
    Recall,
    /// A state machine is created.
    Initial,
    Dispatch,
    Transition,
    Segment,
    Enstate,
    Exstate,
    Action,
    Settle,
    /// Processing ends, or may end where a guard is false.
    Done(Outcome),
    /// Another record of a state machine.
    Machine,
    TimerInit,
    TimerStart,
    TimerStop,
    TimerExpire,
    TimerRemove,
    /// An event is allocated.
    Allocate,
    /// An event is no longer used by one of those that did.
    Release,
    /// An event's memory is given back.
    Recycle,
    /// A function is called.
    Execute,
    /// An assertion failed.
    Failure,
    /// A function is called on behalf of somebody else.
    Synchronous,
    /// Something is named.
    Symbol(ObjectClass),
}

impl Role {
    fn of(kind: &Kind) -> Self {
        use ObjectClass as Class;
        let name = kind.name.split(' ').next_back().unwrap_or_default();
        match (kind.component.as_ref(), name) {
            ("mp", "INIT") => Self::PoolInit,
            ("mp", "GET") => Self::PoolGet,
            ("mp", "PUT") => Self::PoolPut,
            ("que", "INIT") => Self::QueueInit,
            ("que", "GET") => Self::QueueGet,
            ("que", "GET_LAST") => Self::QueueGetLast,
            ("que", "FIFO") => Self::QueueFifo,
            ("que", "LIFO") => Self::QueueLifo,
            ("que", _) => Self::Queue,
            ("sma", "REG") => Self::Register,
            ("sma", "ACT") => Self::Activate,
            ("sma", "TERM") => Self::Terminate,
            ("sma", "UNREG") => Self::Unregister,
            ("sma", "GET") => Self::Take,
            ("sma", "FIFO") => Self::PostFifo,
            ("sma", "LIFO") => Self::PostLifo,
            // In other groups up to RKH 2.4.06.
            ("sma" | "fwk", "DEFER") => Self::Defer,
            ("sma" | "fwk", "RCALL") => Self::Recall,
            ("sma" | "sm", "DCH") => Self::Dispatch,
            ("sm", "INIT") => Self::Initial,
            ("sm", "TRN") => Self::Transition,
            // Called so up to RKH 2.4.
            ("sm", "TS_STATE" | "CSTATE") => Self::Segment,
            ("sm", "ENSTATE") => Self::Enstate,
            ("sm", "EXSTATE") => Self::Exstate,
            ("sm", "EXE_ACT") => Self::Action,
            ("sm", "STATE") => Self::Settle,
            ("sm", "EVT_PROC") => Self::Done(Outcome::Processed),
            ("sm", "EVT_NFOUND") => Self::Done(Outcome::Unhandled),
            ("sm", "GRD_FALSE") => Self::Done(Outcome::GuardFalse),
            ("sm", "CND_NFOUND") => Self::Done(Outcome::NoBranch),
            ("sm", "UNKN_STATE") => Self::Done(Outcome::UnknownState),
            ("sm", "EX_HLEVEL") => Self::Done(Outcome::TooDeep),
            ("sm", "EX_TSEG") => Self::Done(Outcome::TooManySegments),
            ("sm", _) => Self::Machine,
            ("tmr", "INIT") => Self::TimerInit,
            ("tmr", "START" | "RESTART") => Self::TimerStart,
            ("tmr", "STOP") => Self::TimerStop,
            ("tmr", "TOUT") => Self::TimerExpire,
            ("tmr", "REM") => Self::TimerRemove,
            ("fwk", "EN") => Self::Enter,
            ("fwk", "TCFG") => Self::Target,
            ("fwk", "AE") => Self::Allocate,
            ("fwk", "GC") => Self::Release,
            ("fwk", "GCR") => Self::Recycle,
            ("fwk", "ASSERT") => Self::Failure,
            ("fwk", "EXE_FUN") => Self::Execute,
            ("fwk", "SYNC_EVT") => Self::Synchronous,
            ("fwk", "OBJ") => Self::Symbol(Class::Unknown),
            ("fwk", "SIG") => Self::Symbol(Class::Signal),
            ("fwk", "FUN") => Self::Symbol(Class::Function),
            ("fwk", "AO") => Self::Symbol(Class::ActiveObject),
            ("fwk", "STATE") => Self::Symbol(Class::State),
            ("fwk", "PSTATE") => Self::Symbol(Class::Pseudostate),
            ("fwk", "TIMER") => Self::Symbol(Class::Timer),
            ("fwk", "EPOOL") => Self::Symbol(Class::EventPool),
            ("fwk", "QUEUE") => Self::Symbol(Class::Queue),
            ("fwk", "ACTOR") => Self::Symbol(Class::Actor),
            ("fwk", "TUSR") => Self::Symbol(Class::UserEvent),
            _ => Self::Other,
        }
    }
}

/// Where an argument stands: its place among the columns and the extras.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place(u8);

impl Place {
    const NOWHERE: Self = Self(u8::MAX);

    /// The argument's value, if the record has it; `words` are those behind
    /// the columns.
    #[inline(always)]
    pub(super) fn of<'a>(
        self,
        arguments: &[u32; 4],
        words: impl FnOnce() -> &'a [u32],
    ) -> Option<u32> {
        match arguments.get(usize::from(self.0)) {
            Some(value) => Some(*value),
            None if self == Self::NOWHERE => None,
            None => words().get(usize::from(self.0) - 4).copied(),
        }
    }
}

/// The record kinds' role and the places of the arguments that matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sense {
    pub(super) role: Role,
    /// The active object.
    pub(super) object: Place,
    /// The signal.
    pub(super) signal: Place,
    /// The sender, or whoever allocates or frees an event.
    pub(super) actor: Place,
    /// The priority of an active object.
    pub(super) priority: Place,
    /// The elements in a queue then, or the free blocks of a pool.
    pub(super) level: Place,
    /// The period of a timer.
    pub(super) period: Place,
}

impl Sense {
    const NONE: Self = Self {
        role: Role::Other,
        object: Place::NOWHERE,
        signal: Place::NOWHERE,
        actor: Place::NOWHERE,
        priority: Place::NOWHERE,
        level: Place::NOWHERE,
        period: Place::NOWHERE,
    };

    fn of(kind: &Kind) -> Self {
        let more = match &kind.more {
            More::Arguments(more) => more.as_ref(),
            More::Items => &[],
        };
        let place = |names: &[&str]| {
            let mut all = kind.arguments.iter().chain(more);
            let named = |name: &str| names.contains(&name);
            let found = all.position(|it| it.as_ref().is_some_and(|it| named(&it.name)));
            found.map_or(Place::NOWHERE, |place| {
                Place(u8::try_from(place).unwrap_or(u8::MAX))
            })
        };
        Self {
            role: Role::of(kind),
            object: place(&["ao"]),
            signal: place(&["sig"]),
            actor: place(&["snr", "actor"]),
            priority: place(&["prio"]),
            level: place(&["nelem", "nfree"]),
            period: place(&["per"]),
        }
    }
}

/// What all kinds of a catalogue mean.
#[derive(Debug, Clone)]
pub(super) struct Senses(Box<[Sense; 256]>);

impl Senses {
    pub(super) fn of(catalogue: &Catalogue) -> Self {
        let mut all = Box::new([Sense::NONE; 256]);
        for (sense, id) in all.iter_mut().zip(0..) {
            if let Some(kind) = catalogue.get(KindId(id)) {
                *sense = Sense::of(kind);
            }
        }
        Self(all)
    }

    #[inline(always)]
    pub(super) fn get(&self, kind: KindId) -> &Sense {
        &self.0[usize::from(kind.0 as u8)]
    }
}
