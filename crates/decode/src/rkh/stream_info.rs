//! Properties of a stream apart from its trace.

use super::columns::FrameOffsets;
use super::guess::ConfigurationGuess;
use super::losses::{ProblemKind, StreamLosses};
use rtoscope_trace::{EventIndex, Trace};
use rtoscope_wire::rkh::record::record_spec;
use rtoscope_wire::rkh::{RecordSpec, StreamConfiguration, TargetConfiguration};
use serde::{Deserialize, Serialize};

/// A part of a stream whose records have one configuration: from its start, or
/// from a target's configuration record on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRun {
    /// Its first record, or the first one that is present.
    pub first: EventIndex,
    /// The configuration of its records.
    pub configuration: StreamConfiguration,
    /// The configuration that the target sent in the first record, or before
    /// the present part of the stream; `None` if it sent none.
    pub target: Option<TargetConfiguration>,
    /// Whether the target restarted here.
    pub restart: bool,
}

/// The source of a stream's configuration. The serialised names are part of saved
/// recordings and must not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Provenance {
    /// The target sent it before its first record.
    #[serde(rename = "told")]
    Target,
    /// The target sent it later, and the earlier records fit it as well.
    #[serde(rename(serialize = "told"), skip_deserializing)]
    TargetLater,
    /// The user set it.
    #[serde(rename = "given")]
    User,
    /// It was guessed.
    #[serde(rename = "guessed")]
    Guessed,
    /// The default of RKH's own host tool.
    #[serde(rename = "assumed")]
    Default,
}

/// Properties of a stream apart from its [`Trace`]: the position, sequence
/// number and timestamp of each record, and the losses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamInfo {
    /// Size of the stream in bytes.
    pub total_bytes: u64,
    /// Its runs, in order; at least one.
    pub runs: Vec<StreamRun>,
    /// The source of the first run's configuration.
    pub provenance: Provenance,
    /// The guess, if there was one.
    pub guess: Option<ConfigurationGuess>,
    /// Unusable frames and missing records.
    pub losses: StreamLosses,
    pub(super) offsets: FrameOffsets,
    /// 0 for a record without one.
    pub(super) sequences: Vec<u8>,
    /// Records without sequence number and timestamp despite the configuration,
    /// in order.
    pub(super) headerless: Vec<EventIndex>,
}

impl StreamInfo {
    /// Number of records, equal to the number of events in the trace.
    pub fn len(&self) -> usize {
        self.sequences.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.sequences.is_empty()
    }

    /// The run that contains an event.
    pub fn run(&self, event: EventIndex) -> Option<&StreamRun> {
        let following = self.runs.partition_point(|run| run.first <= event);
        self.runs.get(following.checked_sub(1)?)
    }

    /// The offset of the first byte of an event's frame.
    pub fn offset(&self, event: EventIndex) -> Option<u64> {
        self.offsets.get(event.index())
    }

    /// An event's sequence number; `None` if its record has none.
    pub fn sequence(&self, event: EventIndex) -> Option<u8> {
        let numbered = self.run(event)?.configuration.sequence && !self.is_headerless(event);
        let sequence = self.sequences.get(event.index()).copied();
        sequence.filter(|_| numbered)
    }

    /// Whether an event is only probable: its record has no closing flag, because the
    /// stream ends there. Like the retained problems, limited to the first of them.
    pub fn is_probable(&self, event: EventIndex) -> bool {
        let problems = &self.losses.problems;
        let start = problems.partition_point(|problem| problem.event < event.0);
        let mut here = problems.iter().skip(start);
        here.by_ref()
            .take_while(|problem| problem.event == event.0)
            .any(|problem| problem.detail.kind() == ProblemKind::Unclosed)
    }

    /// An event's timestamp in ticks, as recorded; `None` if its record has
    /// none.
    pub fn timestamp(&self, trace: &Trace, event: EventIndex) -> Option<u32> {
        let stamped =
            self.run(event)?.configuration.timestamp.is_some() && !self.is_headerless(event);
        let timestamp = trace.events.timestamp(event)?;
        stamped.then_some(timestamp as u32)
    }

    /// The record kind of an event.
    pub fn record(&self, trace: &Trace, event: EventIndex) -> Option<&'static RecordSpec> {
        let id = trace.events.kind(event)?.0;
        record_spec(
            self.run(event)?.configuration.dialect,
            u8::try_from(id).ok()?,
        )
    }

    /// Whether an event's record has neither sequence number nor timestamp
    /// despite the configuration.
    fn is_headerless(&self, event: EventIndex) -> bool {
        self.headerless.binary_search(&event).is_ok()
    }
}
