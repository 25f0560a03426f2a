//! Signals and their values.

use super::thread_state;
use rtoscope_trace::WaitReason;

/// A signal of the table: index into its signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignalId(pub(crate) u32);

impl SignalId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signal {
    /// The index of its recording.
    pub(crate) source: usize,
    pub(crate) group: SignalGroup,
    /// The display name, which need not be unique.
    pub(crate) label: String,
    pub(crate) kind: SignalKind,
}

/// The group of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalGroup {
    Recording,
    Threads,
    Ready,
    Routines,
    Cores,
    Objects,
    Inversions,
    Markers,
    States,
    Details,
    Machines,
    Levels,
}

/// The type of a signal's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalKind {
    /// High or low.
    Line,
    /// One of [`thread_state::names`].
    State,
    /// A 32-bit number.
    Number,
    Text,
}

/// The selection of signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalSelection {
    All,
    /// One-bit signals; those of ready threads only with `ready`.
    Lines {
        ready: bool,
    },
}

impl SignalSelection {
    pub(super) fn includes(self, group: SignalGroup, kind: SignalKind) -> bool {
        match self {
            Self::All => true,
            Self::Lines { ready } => {
                kind == SignalKind::Line && (ready || group != SignalGroup::Ready)
            }
        }
    }
}

/// The value of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalValue {
    /// Unknown.
    Unknown,
    Line(bool),
    Number(u32),
    /// A text, and the object it refers to.
    Text(TextId, Option<TextId>),
}

/// A text of the table: index into its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextId(pub(crate) u32);

/// A text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SignalText {
    /// A constant word, the same in every recording.
    Fixed(&'static str),
    /// The name of another signal.
    Signal(SignalId),
    /// A display name.
    Label(String),
}

impl TextId {
    pub(super) const IDLE: Self = Self(0);
    pub(super) const INITIALIZE: Self = Self(1);
    pub(super) const INTERRUPT: Self = Self(2);
    pub(super) const UNKNOWN: Self = Self(3);
    const FIRST_STATE: u32 = 4;

    pub(super) const RUNNING: Self = Self(Self::FIRST_STATE + thread_state::RUNNING);
    pub(super) const READY: Self = Self(Self::FIRST_STATE + thread_state::READY);

    pub(super) fn waiting(wait: WaitReason) -> Self {
        Self(Self::FIRST_STATE + thread_state::FIRST_WAIT + wait as u32)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl SignalText {
    /// The constant words that the constants of [`TextId`] number.
    pub(super) fn fixed() -> impl Iterator<Item = Self> {
        let words = ["(idle)", "(initialize)", "(interrupt)", "(unknown)"];
        let states = thread_state::names().map(|(_, name)| name);
        words.into_iter().chain(states).map(Self::Fixed)
    }
}
