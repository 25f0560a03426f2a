//! The meanings of record kinds, independent of their ids in an RKH version.

use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::catalogue::ExtrasLayout;
use rtoscope_trace::{Catalogue, EventKind, EventKindId, ObjectClass};

/// The meaning of a record kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum RecordRole {
    #[default]
    Other,
    /// The framework starts scheduling.
    StartScheduling,
    /// The target's configuration.
    Target,
    PoolInit,
    PoolGet,
    PoolPut,
    QueueInit,
    /// An element is taken from a queue that is not empty afterwards.
    QueueGet,
    /// The last element is taken from a queue.
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
    /// Processing ends, or may end if a guard is false.
    Done(StepOutcome),
    /// Another record of a state machine.
    Machine,
    TimerInit,
    TimerStart,
    TimerStop,
    TimerExpire,
    TimerRemove,
    /// An event is allocated.
    Allocate,
    /// One of its users releases an event.
    Release,
    /// An event's memory is freed.
    Recycle,
    /// A function is called.
    Execute,
    /// An assertion failed.
    Failure,
    /// A function is called on behalf of another context.
    Synchronous,
    /// A name of an object.
    Symbol(ObjectClass),
}

impl RecordRole {
    fn from_kind(kind: &EventKind) -> Self {
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
            // Has this name up to RKH 2.4.
            ("sm", "TS_STATE" | "CSTATE") => Self::Segment,
            ("sm", "ENSTATE") => Self::Enstate,
            ("sm", "EXSTATE") => Self::Exstate,
            ("sm", "EXE_ACT") => Self::Action,
            ("sm", "STATE") => Self::Settle,
            ("sm", "EVT_PROC") => Self::Done(StepOutcome::Processed),
            ("sm", "EVT_NFOUND") => Self::Done(StepOutcome::Unhandled),
            ("sm", "GRD_FALSE") => Self::Done(StepOutcome::GuardFalse),
            ("sm", "CND_NFOUND") => Self::Done(StepOutcome::NoBranch),
            ("sm", "UNKN_STATE") => Self::Done(StepOutcome::UnknownState),
            ("sm", "EX_HLEVEL") => Self::Done(StepOutcome::TooDeep),
            ("sm", "EX_TSEG") => Self::Done(StepOutcome::TooManySegments),
            ("sm", _) => Self::Machine,
            ("tmr", "INIT") => Self::TimerInit,
            ("tmr", "START" | "RESTART") => Self::TimerStart,
            ("tmr", "STOP") => Self::TimerStop,
            ("tmr", "TOUT") => Self::TimerExpire,
            ("tmr", "REM") => Self::TimerRemove,
            ("fwk", "EN") => Self::StartScheduling,
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

/// The position of an argument in the columns or the extras.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArgumentPosition(u8);

impl ArgumentPosition {
    const NONE: Self = Self(u8::MAX);

    /// The argument's value, if the record has it; `words` are the arguments
    /// after the columns.
    #[inline(always)]
    pub(super) fn value<'a>(
        self,
        arguments: &[u32; 4],
        words: impl FnOnce() -> &'a [u32],
    ) -> Option<u32> {
        match arguments.get(usize::from(self.0)) {
            Some(value) => Some(*value),
            None if self == Self::NONE => None,
            None => words().get(usize::from(self.0) - 4).copied(),
        }
    }
}

/// The role of a record kind and the positions of its relevant arguments.
#[derive(Debug, Clone, Copy)]
pub(super) struct KindSemantics {
    pub(super) role: RecordRole,
    /// The active object.
    pub(super) object: ArgumentPosition,
    /// The signal.
    pub(super) signal: ArgumentPosition,
    /// The sender, or the context that allocates or frees an event.
    pub(super) actor: ArgumentPosition,
    /// The priority of an active object.
    pub(super) priority: ArgumentPosition,
    /// The elements in a queue after the operation, or the free blocks of a
    /// pool.
    pub(super) level: ArgumentPosition,
    /// The period of a timer.
    pub(super) period: ArgumentPosition,
}

impl KindSemantics {
    const NONE: Self = Self {
        role: RecordRole::Other,
        object: ArgumentPosition::NONE,
        signal: ArgumentPosition::NONE,
        actor: ArgumentPosition::NONE,
        priority: ArgumentPosition::NONE,
        level: ArgumentPosition::NONE,
        period: ArgumentPosition::NONE,
    };

    fn from_kind(kind: &EventKind) -> Self {
        let more = match &kind.extras {
            ExtrasLayout::Arguments(more) => more.as_ref(),
            ExtrasLayout::Items => &[],
        };
        let place = |names: &[&str]| {
            let mut all = kind.arguments.iter().chain(more);
            let named = |name: &str| names.contains(&name);
            let found = all.position(|it| it.as_ref().is_some_and(|it| named(&it.name)));
            found.map_or(ArgumentPosition::NONE, |place| {
                ArgumentPosition(u8::try_from(place).unwrap_or(u8::MAX))
            })
        };
        Self {
            role: RecordRole::from_kind(kind),
            object: place(&["ao"]),
            signal: place(&["sig"]),
            actor: place(&["snr", "actor"]),
            priority: place(&["prio"]),
            level: place(&["nelem", "nfree"]),
            period: place(&["per"]),
        }
    }
}

/// The semantics of all kinds of a catalogue.
#[derive(Debug, Clone)]
pub(super) struct SemanticsTable(Box<[KindSemantics; 256]>);

impl SemanticsTable {
    pub(super) fn from_catalogue(catalogue: &Catalogue) -> Self {
        let mut all = Box::new([KindSemantics::NONE; 256]);
        for (semantics, id) in all.iter_mut().zip(0..) {
            if let Some(kind) = catalogue.get(EventKindId(id)) {
                *semantics = KindSemantics::from_kind(kind);
            }
        }
        Self(all)
    }

    #[inline(always)]
    pub(super) fn get(&self, kind: EventKindId) -> &KindSemantics {
        &self.0[usize::from(kind.0 as u8)]
    }
}
