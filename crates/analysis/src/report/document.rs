//! All reports in one document.

use super::findings::{self, Finding};
use super::performance::{self, Performance};
use super::{Kind, View, profile, stacks, threads};
use rtoscope_trace::Ticks;
use serde::Serialize;
use std::collections::BTreeSet;

/// The machine-readable contract `rtoscope/report/1`: what was looked at, what
/// was found, and the reports that were asked for; the others are left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    /// `rtoscope/report/1`.
    pub schema: &'static str,
    /// The name of the recording.
    pub source: String,
    /// Events of the scope.
    pub events: u64,
    /// Ticks of the scope.
    pub span_ticks: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span_ns: Option<u64>,
    /// Cores of the scope that recorded events.
    pub cores: usize,
    /// The scope's first tick.
    pub from_ticks: u64,
    /// The scope's last tick.
    pub to_ticks: u64,
    /// How often the clock ticks, if that is known.
    pub frequency_hz: Option<u64>,
    /// What to look at first, the gravest first.
    pub findings: Vec<Finding>,
    /// See [`profile`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Vec<profile::Row>>,
    /// See [`performance`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performance: Option<Performance>,
    /// See [`threads`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Vec<threads::Thread>>,
    /// See [`stacks`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stacks: Option<Vec<stacks::Row>>,
}

impl Document {
    /// The reports of these kinds.
    pub fn new(source: &str, view: &View<'_>, kinds: &BTreeSet<Kind>) -> Self {
        let window = view.window();
        let wanted = |kind| kinds.contains(&kind);
        Self {
            schema: "rtoscope/report/1",
            source: source.to_owned(),
            events: view.census.events,
            span_ticks: view.span().0,
            span_ns: view.nanoseconds(view.span()),
            cores: view.cores(),
            from_ticks: window.start,
            to_ticks: window.end,
            frequency_hz: view.trace.clock.frequency.map(|frequency| frequency.0.get()),
            findings: findings::findings(view),
            profile: wanted(Kind::Profile).then(|| profile::profile(view)),
            performance: wanted(Kind::Performance).then(|| performance::performance(view)),
            threads: wanted(Kind::Threads).then(|| threads::threads(view)),
            stacks: wanted(Kind::Stacks).then(|| stacks::stacks(view)),
        }
    }

    /// How long the scope is.
    pub fn span(&self) -> Ticks {
        Ticks(self.span_ticks)
    }
}
