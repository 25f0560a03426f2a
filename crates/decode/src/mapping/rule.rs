//! Rules: what an event means, and which of its fields say what.

use rtoscope_trace::filter::Glob;
use rtoscope_trace::{ObjectClass, WaitReason};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What an event means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Meaning {
    /// Nothing to the scheduler: hides later rules.
    None,
    /// A core switches to a thread, perhaps from another one.
    Switch,
    /// A thread runs from now on.
    SwitchIn,
    /// A thread does not run any more.
    SwitchOut,
    /// The core is idle.
    Idle,
    /// A thread becomes ready.
    Ready,
    /// A thread waits from now on.
    Waiting,
    /// The running thread is about to wait, perhaps for an object.
    Blocking,
    /// It is about to wait until it can take something from an object.
    TakeBlocking,
    /// It is about to wait until it can add something to an object.
    PutBlocking,
    /// It did not get the object for which it waited.
    WaitFailed,
    /// A thread is created: another one than before with this id.
    ThreadCreated,
    /// Properties of a thread: name, priority, stack.
    ThreadInfo,
    /// A thread ends.
    ThreadEnded,
    /// An interrupt service routine starts.
    InterruptEnter,
    /// It ends.
    InterruptExit,
    /// The running thread has got a mutex.
    Lock,
    /// It waits for a mutex.
    LockBlocking,
    /// It releases a mutex.
    Unlock,
    /// Something is added to an object: a message, a count.
    Put,
    /// Something is taken from an object.
    Take,
    /// An object is emptied.
    Flush,
    /// An object has a name.
    ObjectInfo,
    /// A span begins.
    MarkerBegin,
    /// It ends.
    MarkerEnd,
    /// A point in time.
    Marker,
    /// A value of something that is measured.
    Counter,
    /// Events are missing before this one.
    Lost,
}

impl Meaning {
    /// The fields without which it is not known to what something happens.
    pub(super) const fn required(self) -> &'static [Role] {
        match self {
            Self::Switch => &[Role::Next],
            Self::SwitchIn | Self::Ready | Self::ThreadCreated | Self::ThreadInfo => {
                &[Role::Thread]
            }
            Self::Lock
            | Self::LockBlocking
            | Self::Unlock
            | Self::TakeBlocking
            | Self::PutBlocking
            | Self::Put
            | Self::Take
            | Self::Flush
            | Self::ObjectInfo => &[Role::Object],
            Self::Counter => &[Role::Value],
            _ => &[],
        }
    }
}

/// What a field of an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Role {
    /// The thread to which something happens: its id, or its name.
    Thread,
    ThreadName,
    ThreadPriority,
    /// The thread that runs next.
    Next,
    NextName,
    NextPriority,
    /// The thread that logged the event, if it is not the one that runs: who wakes, who locks.
    Context,
    ContextName,
    /// The core.
    Core,
    /// The object: its id, or its name.
    Object,
    ObjectName,
    /// The level of the object before the call.
    Level,
    /// The level of the object after the call.
    LevelAfter,
    /// The number of an interrupt, or its name.
    Interrupt,
    InterruptName,
    /// The name of a marker, or its id.
    Marker,
    /// What distinguishes spans of the same marker, or what is measured.
    Value,
    /// Number of lost events.
    Count,
    /// Why a thread waits, or has ended, if the rule does not say it.
    Reason,
    StackStart,
    StackBytes,
}

impl Role {
    pub(super) const COUNT: usize = Self::StackBytes as usize + 1;

    /// Whether events without this field are events of another kind, so that the rule is not
    /// theirs.
    pub(super) const fn is_identity(self) -> bool {
        matches!(
            self,
            Self::Thread | Self::Next | Self::Object | Self::Interrupt | Self::Marker | Self::Value
        )
    }
}

/// How a thread leaves its core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LeaveState {
    /// It is ready: another one preempts it.
    Ready,
    /// It waits.
    Waiting,
    /// It has ended.
    Ended,
}

/// A rule of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub(super) events: Vec<NamePattern>,
    /// Fields that an event must have.
    pub(super) required: Vec<String>,
    pub(super) conditions: Vec<(String, Condition)>,
    pub(super) meaning: Meaning,
    /// The names of each field, in the order of preference.
    pub(super) fields: BTreeMap<Role, Vec<String>>,
    pub(super) state: Option<LeaveState>,
    pub(super) reason: Option<WaitReason>,
    pub(super) class: Option<ObjectClass>,
    /// The name of the marker, if no field has it.
    pub(super) marker: Option<String>,
}

/// A pattern for whole names.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum NamePattern {
    Exact(String),
    Glob(Glob),
}

impl NamePattern {
    pub(super) fn new(text: &str) -> Self {
        match text.contains(['*', '?']) {
            true => Self::Glob(Glob::new(text)),
            false => Self::Exact(text.to_owned()),
        }
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        match self {
            Self::Exact(exact) => exact == name,
            Self::Glob(glob) => glob.matches(name),
        }
    }

    pub(super) fn matches_bytes(&self, name: &[u8]) -> bool {
        match self {
            Self::Exact(exact) => exact.as_bytes() == name,
            Self::Glob(glob) => std::str::from_utf8(name).is_ok_and(|name| glob.matches(name)),
        }
    }
}

/// A condition on the value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// One of these.
    Is(Vec<Expected>),
    /// None of these.
    IsNot(Vec<Expected>),
    /// A number with any of these bits.
    HasBits(u64),
}

/// An expected value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expected {
    Number(i128),
    Text(NamePattern),
}

/// The threads of a table that are something else.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SpecialThreads {
    pub(super) idle: ThreadPattern,
    pub(super) interrupt: ThreadPattern,
    pub(super) initialisation: ThreadPattern,
    pub(super) unknown: ThreadPattern,
}

/// Ids and names of threads.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ThreadPattern {
    pub(super) ids: Vec<i128>,
    pub(super) names: Vec<NamePattern>,
}

impl ThreadPattern {
    pub(super) fn matches(&self, id: Option<i128>, name: Option<&[u8]>) -> bool {
        id.is_some_and(|id| self.ids.contains(&id))
            || name.is_some_and(|name| self.names.iter().any(|it| it.matches_bytes(name)))
    }
}
