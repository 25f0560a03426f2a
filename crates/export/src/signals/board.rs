//! The signals of an export.

use super::plan::Plan;
use super::{SignalId, states};
use rtoscope_tables::Source;
use rtoscope_trace::Wait;

/// The signals of all recordings, one recording after the other.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) signals: Vec<Signal>,
    /// What [`Value::Text`](super::Value::Text) refers to.
    pub(crate) texts: Vec<Text>,
    /// Of each recording.
    pub(super) plans: Vec<Plan>,
}

/// A signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signal {
    /// The place of its recording.
    pub(crate) source: usize,
    pub(crate) group: Group,
    /// Its name for people. Two signals can have the same.
    pub(crate) label: String,
    pub(crate) kind: Kind,
}

/// What a signal speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Recording,
    Threads,
    Ready,
    Routines,
    Cores,
    Objects,
    Inversions,
    States,
    Doing,
    Machines,
    Levels,
}

/// What a signal can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// High or low.
    Line,
    /// One of [`states`].
    State,
    /// Any number of 32 bits.
    Number,
    Text,
}

/// Which signals are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    All,
    /// Those that are high or low; whether threads are ready only if so wanted.
    Lines {
        ready: bool,
    },
}

impl Choice {
    pub(super) fn takes(self, group: Group, kind: Kind) -> bool {
        match self {
            Self::All => true,
            Self::Lines { ready } => kind == Kind::Line && (ready || group != Group::Ready),
        }
    }
}

/// A text of a board: index into its texts.
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

    pub(super) fn wait(wait: Wait) -> Self {
        Self(Self::FIRST_STATE + super::FIRST_WAIT + wait as u32)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Text {
    /// One of the words that mean the same in every recording.
    Word(&'static str),
    /// What another signal is called.
    Signal(SignalId),
    /// A name for people.
    Label(String),
}

impl Board {
    /// The chosen signals of recordings.
    pub(crate) fn of(sources: &[Source<'_>], choice: Choice) -> Self {
        let words = ["(idle)", "(initialize)", "(interrupt)", "(unknown)"];
        let words = words.into_iter().chain(states().map(|(_, name)| name));
        let mut board = Self {
            signals: Vec::new(),
            texts: words.map(Text::Word).collect(),
            plans: Vec::new(),
        };
        for (place, source) in sources.iter().enumerate() {
            let plan = Plan::of(place, source, choice, &mut board);
            board.plans.push(plan);
        }
        board
    }

    pub(super) fn text(&mut self, text: Text) -> TextId {
        let id = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text);
        TextId(id)
    }
}
