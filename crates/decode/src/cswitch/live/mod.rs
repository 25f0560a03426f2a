//! Decodes context-switch logs that arrive one after the other.
//!
//! ```text
//! bytes ──framer──▶ containers ──core_merger──▶ events ──chunk──▶ DecodedRecording
//!                                │ core_tracker, snapshot: the new entries of a core
//!                                └ common_timeline: their times
//! ```
//!
//! Each container is a snapshot of the cores' logs; entries that no earlier
//! container had are new. Events of several cores get their numbers once no
//! earlier event can arrive any more.

mod chunk;
mod common_timeline;
mod core_merger;
mod core_tracker;
mod logged_event;
mod name_table;
mod snapshot;

use super::log::{CoreLog, MissingEntries, SwitchLog};
use super::options::CswitchOptions;
use super::{FORMAT, cswl_reader, packed};
use crate::DecodeOptions;
use crate::format::TargetCommand;
use crate::live::{self, EventStore, HostTime, LiveStats, ResumePoint};
use crate::sections::ContainerFramer;
use chunk::CswitchChunk;
use core_merger::CoreMerger;
use logged_event::LoggedEvent;
pub(super) use name_table::NameTable;
use rtoscope_trace::Clock;
use rtoscope_wire::cswitch::CswlHeader;
use snapshot::SnapshotOverlap;
use std::ops::Range;
use std::sync::Arc;

/// The state for resuming a recording: the state before the last container,
/// which is read again.
#[derive(Debug)]
struct CswitchResumeState {
    merger_before: CoreMerger,
    last_container: LastContainer,
    newest: LoggedEvent,
    names: Arc<NameTable>,
}

/// The last container.
#[derive(Debug, Clone)]
struct LastContainer {
    /// Its offset in the recording.
    offset: u64,
    overlaps: Vec<(u8, SnapshotOverlap)>,
    /// Whether the connection was lost after it.
    is_finished: bool,
}

/// Decodes context-switch logs live.
pub(crate) struct CswitchLiveDecoder {
    framer: ContainerFramer<CswlHeader>,
    options: CswitchOptions,
    events: EventStore<LoggedEvent>,
    merger: Option<CoreMerger>,
    /// The last container, and the state before it.
    last_container: Option<(CoreMerger, LastContainer)>,
    /// A container that was already read, whose events are not new.
    replayed_container: Option<LastContainer>,
    names: Arc<NameTable>,
    /// Whether the target has sent its names before the first container that arrived.
    wants_names: bool,
    /// The statistics before the entry layout changed.
    previous_stats: LiveStats,
}

impl CswitchLiveDecoder {
    /// Creates a decoder; `offset` unusable bytes precede it.
    pub(crate) fn new(options: &CswitchOptions, offset: u64) -> Self {
        Self {
            framer: ContainerFramer::new(offset),
            options: options.clone(),
            events: EventStore::new(0),
            merger: None,
            last_container: None,
            replayed_container: None,
            names: Arc::default(),
            wants_names: false,
            previous_stats: LiveStats::default(),
        }
    }

    /// Adds the next container, which is at `offset` of the recording; that many `cores` send
    /// their containers in turn.
    fn push_container(&mut self, mut log: SwitchLog<'_>, cores: u16, offset: u64, at: HostTime) {
        if let Some(bits) = self.options.counter_bits {
            log.layout.counter_bits = bits;
        }
        let mut merger = self.merger_for(&log);
        merger.expect_cores(cores);
        let before = merger.clone();
        let replayed = self.replayed_container.take();
        let overlaps = match &replayed {
            Some(last) => last.overlaps.clone(),
            None => merger.snapshot_overlaps(&log),
        };
        if let Some(events) = merger.end_run(&overlaps)
            && replayed.is_none()
        {
            self.store_events(&events);
            Arc::make_mut(&mut self.names).restart();
        }
        if self.names.lacks_names_of(&log) {
            Arc::make_mut(&mut self.names).merge(&log);
        }
        let is_start =
            |(_, overlap): &(u8, SnapshotOverlap)| overlap.is_first_snapshot || overlap.is_restart;
        let begins_later = |core: &CoreLog<'_>| {
            core.last_ticks.is_some()
                && core
                    .core_past
                    .is_some_and(|past| past.preceding_entries > 0)
        };
        if replayed.is_none() && overlaps.iter().any(is_start) {
            self.wants_names = log.cores.iter().any(begins_later) && !self.names.has_names();
        }
        let events = merger.merge(&log, &overlaps, self.names.epoch(), at);
        let last = match replayed {
            Some(last) => {
                if last.is_finished {
                    merger.flush();
                }
                merger.set_settled(self.newest());
                last
            }
            None => {
                self.store_events(&events);
                LastContainer {
                    offset,
                    overlaps,
                    is_finished: false,
                }
            }
        };
        self.last_container = Some((before.state_before(&merger), last));
        self.merger = Some(merger);
    }

    /// Nothing more arrives that belongs to the last container.
    fn finish(&mut self) {
        if let Some(merger) = &mut self.merger {
            let events = merger.flush();
            self.store_events(&events);
        }
        if let Some((_, last)) = &mut self.last_container {
            last.is_finished = true;
        }
    }

    /// The merger for a container. A container with another entry layout comes
    /// from another program: none of the earlier state applies to it.
    fn merger_for(&mut self, log: &SwitchLog<'_>) -> CoreMerger {
        match self.merger.take() {
            Some(merger) if merger.timeline.layout == log.layout => return merger,
            other => self.merger = other,
        }
        self.finish();
        self.previous_stats = self.log_stats();
        self.replayed_container = None;
        self.events.discard_before(u64::MAX);
        CoreMerger::new(self.options.clock, log.layout)
    }

    fn store_events(&mut self, events: &[LoggedEvent]) {
        let gaps = events.iter();
        let gaps = gaps.filter(|event| event.missing != MissingEntries::None);
        self.previous_stats.gaps += gaps.count() as u64;
        self.previous_stats.events += events.len() as u64;
        self.events.extend((), events);
    }

    /// The newest event with a final position.
    fn newest(&self) -> Option<&LoggedEvent> {
        self.events.last()?.first()
    }

    /// The statistics of the events.
    fn log_stats(&self) -> LiveStats {
        let cores = self.merger.iter().flat_map(|merger| merger.cores.values());
        cores.fold(self.previous_stats, |stats, core| LiveStats {
            missing_events: stats.missing_events.saturating_add(core.missing_entries),
            gaps: stats.gaps + u64::from(core.has_gap_at_end()),
            unusable_bytes: stats.unusable_bytes.saturating_add(core.skipped_bytes),
            ..stats
        })
    }
}

impl live::ResumeState for CswitchResumeState {
    fn resume(&self, options: &DecodeOptions, point: &ResumePoint) -> Box<dyn live::FormatDecoder> {
        let mut decoder = CswitchLiveDecoder::new(&options.cswitch, point.offset);
        decoder.events = EventStore::new(point.event);
        decoder
            .events
            .extend((), std::slice::from_ref(&self.newest));
        decoder.merger = Some(self.merger_before.clone());
        decoder.replayed_container = Some(self.last_container.clone());
        decoder.names = Arc::clone(&self.names);
        Box::new(decoder)
    }
}

impl live::FormatDecoder for CswitchLiveDecoder {
    fn push(&mut self, bytes: &[u8], at: HostTime) {
        let mut framer = std::mem::replace(&mut self.framer, ContainerFramer::new(0));
        framer.push(bytes);
        while let Some(whole) = framer.next() {
            let unpacked = packed::unpack(whole.bytes);
            if let Ok(log) = cswl_reader::read(whole.bytes, whole.offset, unpacked.as_ref()) {
                let cores = unpacked.as_ref().map_or(0, |it| it.sending_cores);
                self.push_container(log, cores, whole.offset, at);
            }
        }
        self.framer = framer;
    }

    fn connection_lost(&mut self) {
        self.framer.discard_partial();
        self.finish();
    }

    fn event_range(&self) -> Range<u64> {
        self.events.event_range()
    }

    fn discard_before(&mut self, before: u64) {
        self.events.discard_before(before);
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        let merger = self.merger.as_ref();
        let mut options = self.options.clone();
        options.clock = merger.map_or(options.clock, |merger| merger.timeline.clock_options());
        Box::new(CswitchChunk {
            is_continuation: numbers.start > 0,
            events: self.events.slices(&numbers),
            timeline: merger.map(|merger| merger.timeline.clone()),
            names: Arc::clone(&self.names),
            cores: merger.map(CoreMerger::core_logs).unwrap_or_default(),
            options,
        })
    }

    fn stats(&self) -> LiveStats {
        let stats = self.log_stats();
        LiveStats {
            unusable: self.framer.damaged,
            unusable_bytes: stats
                .unusable_bytes
                .saturating_add(self.framer.damaged_bytes),
            ..stats
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        let event = self.events.event_range().end.checked_sub(1)?;
        let (before, last) = self.last_container.as_ref()?;
        Some(ResumePoint {
            offset: last.offset,
            event,
            format: FORMAT,
            state: Arc::new(CswitchResumeState {
                merger_before: before.clone(),
                last_container: last.clone(),
                newest: self.newest()?.clone(),
                names: Arc::clone(&self.names),
            }),
        })
    }

    fn take_request(&mut self) -> Option<TargetCommand> {
        std::mem::take(&mut self.wants_names).then_some(TargetCommand::Names)
    }

    fn set_clock(&mut self, clock: &Clock) {
        // Also for a log with another layout.
        self.options.clock.direction.get_or_insert(clock.direction);
        if let Some(merger) = &mut self.merger {
            merger.timeline.set_direction(clock.direction);
        }
    }

    fn metadata(&self) -> Vec<u8> {
        let bytes = self.merger.as_ref().map(|merger| {
            let line = &merger.timeline;
            self.names.to_bytes(line.layout, line.target_frequency)
        });
        bytes.unwrap_or_default()
    }

    fn load_metadata(&mut self, preface: &[u8]) {
        if let Some(names) = NameTable::from_bytes(preface) {
            self.names = Arc::new(names);
        }
    }
}
