//! The table of an export's signals.

use super::signal_plan::RecordingSignals;
use super::{SignalId, thread_states};
use rtoscope_tables::TableSource;
use rtoscope_trace::WaitReason;

/// The signals of all recordings, one recording after the other.
#[derive(Debug)]
pub(crate) struct SignalTable {
    pub(crate) signals: Vec<Signal>,
    /// The texts that [`SignalValue::Text`](super::SignalValue::Text) refers to.
    pub(crate) texts: Vec<SignalText>,
    /// The signals of each recording.
    pub(super) plans: Vec<RecordingSignals>,
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
    /// One of [`thread_states`].
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

/// A text of the table: index into its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextId(pub(crate) u32);

impl TextId {
    pub(super) const IDLE: Self = Self(0);
    pub(super) const INITIALIZE: Self = Self(1);
    pub(super) const INTERRUPT: Self = Self(2);
    pub(super) const UNKNOWN: Self = Self(3);
    const FIRST_STATE: u32 = 4;

    pub(super) const RUNNING: Self = Self(Self::FIRST_STATE + super::RUNNING);
    pub(super) const READY: Self = Self(Self::FIRST_STATE + super::READY);

    pub(super) fn waiting(wait: WaitReason) -> Self {
        Self(Self::FIRST_STATE + super::FIRST_WAIT + wait as u32)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

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

impl SignalTable {
    /// Creates the table of the selected signals of recordings.
    pub(crate) fn new(sources: &[TableSource<'_>], choice: SignalSelection) -> Self {
        let words = ["(idle)", "(initialize)", "(interrupt)", "(unknown)"];
        let words = words
            .into_iter()
            .chain(thread_states().map(|(_, name)| name));
        let mut table = Self {
            signals: Vec::new(),
            texts: words.map(SignalText::Fixed).collect(),
            plans: Vec::new(),
        };
        for (place, source) in sources.iter().enumerate() {
            let plan = RecordingSignals::new(place, source, choice, &mut table);
            table.plans.push(plan);
        }
        table
    }

    pub(super) fn text(&mut self, text: SignalText) -> TextId {
        let id = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text);
        TextId(id)
    }
}
