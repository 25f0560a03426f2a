//! Timing declarations: what an application expects of its hardware, from a project's file in
//! TOML.
//!
//! ```toml
//! [[hardware]]
//! name = "blitter"
//! kick = 'kind == "marker" and arg.marker == "blit"'
//! done_isr = "blit_isr"
//!
//! [[slots]]
//! name = "1080p"
//! anchor = 'kind == "ISR enter" and arg.name == "frame_isr"'
//! cycle = "33.3ms"
//! slots = [{ subject = "blitter", offset = "2ms", length = "5ms" }]
//!
//! [[deadline]]
//! name = "sampling"
//! thread = "sensor"
//! period = "10ms"
//! jitter = "200us"
//! deadline = "2ms"
//!
//! [[pipeline]]
//! name = "video"
//! chain = "ISR 24 -> raw -> decoder -> ready -> display"
//! end = 'kind == "user event 4096"'
//! period = "10ms"
//! deadline = "8ms"
//!
//! [[interval]]
//! name = "request"
//! from = 'kind == "queue_send" and object == "requests"'
//! to = 'kind == "queue_receive" and object == "replies"'
//! by = "thread"
//! deadline = "2ms"
//! ```

mod apply;
mod deadlines;
mod duration;
mod hardware;
mod intervals;
mod pipelines;
mod slots;
#[cfg(test)]
mod tests;

pub use deadlines::{DeadlineDeclaration, DeadlineSubject};
pub use duration::DeclaredDuration;
pub use hardware::{DoneSource, HardwareDeclaration};
pub use intervals::IntervalDeclaration;
pub use pipelines::{ChainElement, ChainForm, EventElement, PipelineDeclaration, StageHolding};
pub use slots::{SlotDeclaration, SlotSchedule};

use rtoscope_trace::filter::Filter;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::ops::Range;
use toml::Spanned;

/// The declarations of a file.
#[derive(Debug, Clone, Default)]
pub struct TimingDeclarations {
    /// Hardware that is kicked and signals its end.
    pub hardware: Vec<HardwareDeclaration>,
    /// Schedules of slots.
    pub schedules: Vec<SlotSchedule>,
    /// Limits for the activations of threads and others.
    pub deadlines: Vec<DeadlineDeclaration>,
    /// Chains of stages that items pass.
    pub pipelines: Vec<PipelineDeclaration>,
    /// Intervals from one event to another.
    pub intervals: Vec<IntervalDeclaration>,
}

/// A mistake in declarations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimingError {
    /// Counted from 1.
    pub line: usize,
    /// The cause.
    pub message: String,
}

impl std::fmt::Display for TimingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TimingError {}

/// A mistake, and where it is in the text.
type LocatedError = (Range<usize>, String);

/// The tables of a project's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Options of the command line, which it reads itself, like the next two.
    #[serde(default, rename = "recording")]
    _recording: IgnoredAny,
    #[serde(default, rename = "settings")]
    _settings: IgnoredAny,
    #[serde(default, rename = "tags")]
    _tags: IgnoredAny,
    /// The rules of [`crate::check`].
    #[serde(default, rename = "check")]
    _check: IgnoredAny,
    #[serde(default)]
    hardware: Vec<hardware::HardwareEntry>,
    #[serde(default)]
    slots: Vec<slots::ScheduleEntry>,
    #[serde(default)]
    deadline: Vec<deadlines::DeadlineEntry>,
    #[serde(default)]
    pipeline: Vec<pipelines::PipelineEntry>,
    #[serde(default)]
    interval: Vec<intervals::IntervalEntry>,
}

impl TimingDeclarations {
    /// Whether nothing is declared.
    pub const fn is_empty(&self) -> bool {
        self.hardware.is_empty()
            && self.schedules.is_empty()
            && self.deadlines.is_empty()
            && self.pipelines.is_empty()
            && self.intervals.is_empty()
    }

    /// Parses a file.
    ///
    /// # Errors
    ///
    /// If it is not TOML, has unknown keys, or a filter or duration is invalid.
    pub fn parse(text: &str) -> Result<Self, TimingError> {
        let at = |offset: usize, message: String| TimingError {
            line: line_of(text, offset),
            message,
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let start = error.span().unwrap_or_default().start;
            at(start, error.message().to_owned())
        })?;
        let located = |(span, message): LocatedError| at(span.start, message);
        let hardware = file.hardware.into_iter();
        let schedules = file.slots.into_iter();
        let deadlines = file.deadline.into_iter();
        let pipelines = file.pipeline.into_iter();
        let intervals = file.interval.into_iter();
        Ok(Self {
            deadlines: deadlines
                .map(|entry| entry.declaration(|offset| line_of(text, offset)))
                .collect::<Result<_, _>>()
                .map_err(located)?,
            pipelines: pipelines
                .map(|entry| entry.declaration(|offset| line_of(text, offset)))
                .collect::<Result<_, _>>()
                .map_err(located)?,
            intervals: intervals
                .map(|entry| entry.declaration(|offset| line_of(text, offset)))
                .collect::<Result<_, _>>()
                .map_err(located)?,
            hardware: hardware
                .map(|entry| entry.declaration(|offset| line_of(text, offset)))
                .collect::<Result<_, _>>()
                .map_err(located)?,
            schedules: schedules
                .map(|entry| entry.schedule(|offset| line_of(text, offset)))
                .collect::<Result<_, _>>()
                .map_err(located)?,
        })
    }
}

/// The number of the line with the byte at `offset`, counted from 1.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}

fn filter(text: &Spanned<String>) -> Result<Filter, LocatedError> {
    Filter::parse(text.get_ref()).map_err(|error| (text.span(), error.to_string()))
}
