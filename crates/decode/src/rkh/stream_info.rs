//! What a stream says beside its trace.

use super::columns::FrameOffsets;
use super::guess::ConfigurationGuess;
use super::losses::StreamLosses;
use rtoscope_trace::{EventIndex, Trace};
use rtoscope_wire::rkh::record::record_spec;
use rtoscope_wire::rkh::{RecordSpec, StreamConfiguration, TargetConfiguration};

/// A part of a stream whose records are of one configuration: from its start, or
/// from a target's configuration record on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRun {
    /// The first record of it, or of what is here of it.
    pub first: EventIndex,
    /// The configuration of its records.
    pub configuration: StreamConfiguration,
    /// What the target says about itself in the first record, or said before the
    /// part of the stream that is here; `None` if it did not.
    pub target: Option<TargetConfiguration>,
    /// Whether the target started again here.
    pub restart: bool,
    /// The stamp and the time, in ticks, of its first record that has a stamp.
    pub(super) first_timestamp: Option<(u32, u64)>,
}

/// Where a stream's configuration comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// The target tells it before its first record.
    Target,
    /// The target tells it later, and the records before fit it as well.
    TargetLater,
    /// The user gave it.
    User,
    /// It was guessed.
    Guessed,
    /// Nobody said it: the one that RKH's own host tool assumes.
    Default,
}

/// What a stream says beside its [`Trace`]: where each
/// record stood, its number and its stamp, and what was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamInfo {
    /// Its bytes.
    pub total_bytes: u64,
    /// Its runs, in order; at least one.
    pub runs: Vec<StreamRun>,
    /// Where the first run's configuration comes from.
    pub provenance: Provenance,
    /// What was guessed, if anything was.
    pub guess: Option<ConfigurationGuess>,
    /// What could not be used and what never arrived.
    pub losses: StreamLosses,
    pub(super) offsets: FrameOffsets,
    /// 0 where a record has none.
    pub(super) sequences: Vec<u8>,
    /// The records without sequence number and stamp in spite of the
    /// configuration, in order.
    pub(super) headerless: Vec<EventIndex>,
}

impl StreamInfo {
    /// How many records there are: as many as events in the trace.
    pub fn len(&self) -> usize {
        self.sequences.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sequences.is_empty()
    }

    /// The run that an event belongs to.
    pub fn run(&self, event: EventIndex) -> Option<&StreamRun> {
        let behind = self.runs.partition_point(|run| run.first <= event);
        self.runs.get(behind.checked_sub(1)?)
    }

    /// Where the first byte of an event's frame stands.
    pub fn offset(&self, event: EventIndex) -> Option<u64> {
        self.offsets.get(event.index())
    }

    /// An event's sequence number; `None` if its record has none.
    pub fn sequence(&self, event: EventIndex) -> Option<u8> {
        let numbered = self.run(event)?.configuration.sequence && !self.is_headerless(event);
        let sequence = self.sequences.get(event.index()).copied();
        sequence.filter(|_| numbered)
    }

    /// An event's stamp in ticks, as recorded; `None` if its record has none.
    pub fn timestamp(&self, trace: &Trace, event: EventIndex) -> Option<u32> {
        let stamped =
            self.run(event)?.configuration.timestamp.is_some() && !self.is_headerless(event);
        let stamp = trace.events.timestamp.get(event.index())?;
        stamped.then_some(stamp as u32)
    }

    /// An event's stamp in ticks, without its wraps since the run began: the
    /// stamp as recorded until the first wrap. `None` if its record has none.
    pub fn unwrapped_ticks(&self, trace: &Trace, event: EventIndex) -> Option<u64> {
        self.timestamp(trace, event)?;
        let (stamp, start) = self.run(event)?.first_timestamp?;
        let time = *trace.events.time.get(event.index())?;
        Some(u64::from(stamp) + time.saturating_sub(start))
    }

    /// The kind of record that an event is.
    pub fn record(&self, trace: &Trace, event: EventIndex) -> Option<&'static RecordSpec> {
        let id = trace.events.kind.get(event.index())?.0;
        record_spec(
            self.run(event)?.configuration.dialect,
            u8::try_from(id).ok()?,
        )
    }

    /// Whether an event's record has neither sequence number nor stamp, whatever
    /// the configuration says.
    fn is_headerless(&self, event: EventIndex) -> bool {
        self.headerless.binary_search(&event).is_ok()
    }
}
