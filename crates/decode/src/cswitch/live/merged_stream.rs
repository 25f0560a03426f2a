//! The merged events of a stream, and its state.

use super::chunk::CswitchChunk;
use super::core_merger::CoreMerger;
use super::event_store::{EventStore, LoggedEvent};
use super::name_table::NameTable;
use super::snapshot::SnapshotOverlap;
use crate::cswitch::FORMAT;
use crate::cswitch::log::{MissingEntries, SwitchLog};
use crate::cswitch::options::CswitchOptions;
use crate::live::{HostTime, LiveStats, ResumePoint};
use rtoscope_trace::clock::ClockDirection;
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

/// The events, and the state from container to container.
pub(super) struct MergedStream {
    options: CswitchOptions,
    pub(super) events: EventStore,
    merger: Option<CoreMerger>,
    /// The last container, and the state before it.
    last_container: Option<(CoreMerger, LastContainer)>,
    /// A container that was already read, whose events are not new.
    replayed_container: Option<LastContainer>,
    names: Arc<NameTable>,
    direction: Option<ClockDirection>,
    /// The statistics before the entry layout changed.
    previous_stats: LiveStats,
}

impl MergedStream {
    pub(super) fn new(options: &CswitchOptions) -> Self {
        Self {
            options: options.clone(),
            events: EventStore::default(),
            merger: None,
            last_container: None,
            replayed_container: None,
            names: Arc::default(),
            direction: None,
            previous_stats: LiveStats::default(),
        }
    }

    /// Resumes a recording at a checkpoint.
    pub(super) fn resume(options: &CswitchOptions, point: &ResumePoint) -> Self {
        let mut woven = Self::new(options);
        woven.events = EventStore::starting_at(point.event);
        if let Some(known) = point.state.downcast_ref::<CswitchResumeState>() {
            woven.events.push(known.newest.clone());
            woven.merger = Some(known.merger_before.clone());
            woven.replayed_container = Some(known.last_container.clone());
            woven.names = Arc::clone(&known.names);
        }
        woven
    }

    /// Adds the next container, which is at `offset` of the recording; that many `cores` send
    /// their containers in turn.
    pub(super) fn push_container(
        &mut self,
        mut log: SwitchLog<'_>,
        cores: u16,
        offset: u64,
        at: HostTime,
    ) {
        if let Some(bits) = self.options.counter_bits {
            log.layout.counter_bits = bits;
        }
        if self.names.lacks_names_of(&log) {
            Arc::make_mut(&mut self.names).merge(&log);
        }
        let mut weaver = self.merger_for(&log);
        weaver.expect_cores(cores);
        let before = weaver.clone();
        let last = match self.replayed_container.take() {
            Some(last) => {
                weaver.merge(&log, &last.overlaps, at);
                if last.is_finished {
                    weaver.flush();
                }
                weaver.set_settled(self.events.last());
                last
            }
            None => {
                let stitches = weaver.snapshot_overlaps(&log);
                let events = weaver.merge(&log, &stitches, at);
                self.store_events(events);
                LastContainer {
                    offset,
                    overlaps: stitches,
                    is_finished: false,
                }
            }
        };
        self.last_container = Some((before.state_before(&weaver), last));
        self.merger = Some(weaver);
    }

    /// Nothing more arrives that belongs to the last container.
    pub(super) fn finish(&mut self) {
        if let Some(weaver) = &mut self.merger {
            let events = weaver.flush();
            self.store_events(events);
        }
        if let Some((_, last)) = &mut self.last_container {
            last.is_finished = true;
        }
    }

    pub(super) fn chunk(&self, numbers: Range<u64>) -> CswitchChunk {
        let weaver = self.merger.as_ref();
        let mut options = self.options.clone();
        options.clock = weaver.map_or(options.clock, |weaver| weaver.timeline.clock_options());
        CswitchChunk {
            blocks: self.events.blocks(&numbers),
            event_range: numbers,
            timeline: weaver.map(|weaver| weaver.timeline.clone()),
            names: Arc::clone(&self.names),
            cores: weaver.map(CoreMerger::core_logs).unwrap_or_default(),
            options,
        }
    }

    pub(super) fn resume_point(&self) -> Option<ResumePoint> {
        let event = self.events.event_range().end.checked_sub(1)?;
        let (before, last) = self.last_container.as_ref()?;
        Some(ResumePoint {
            offset: last.offset,
            event,
            format: FORMAT,
            state: Arc::new(CswitchResumeState {
                merger_before: before.clone(),
                last_container: last.clone(),
                newest: self.events.last()?.clone(),
                names: Arc::clone(&self.names),
            }),
        })
    }

    pub(super) fn set_direction(&mut self, direction: ClockDirection) {
        self.direction = Some(direction);
        if let Some(weaver) = &mut self.merger {
            weaver.timeline.set_direction(direction);
        }
    }

    pub(super) fn stats(&self) -> LiveStats {
        let cores = self.merger.iter().flat_map(|weaver| weaver.cores.values());
        cores.fold(self.previous_stats, |tally, core| LiveStats {
            missing_events: tally.missing_events.saturating_add(core.missing_entries),
            gaps: tally.gaps + u64::from(core.has_gap_at_end()),
            unusable_bytes: tally.unusable_bytes.saturating_add(core.skipped_bytes),
            ..tally
        })
    }

    pub(super) fn metadata(&self) -> Vec<u8> {
        let bytes = self.merger.as_ref().map(|weaver| {
            let line = &weaver.timeline;
            self.names.to_bytes(line.layout, line.target_frequency)
        });
        bytes.unwrap_or_default()
    }

    pub(super) fn load_metadata(&mut self, preface: &[u8]) {
        if let Some(vocabulary) = NameTable::from_bytes(preface) {
            self.names = Arc::new(vocabulary);
        }
    }

    /// The merger for a container. A container with another entry layout comes
    /// from another program: none of the earlier state applies to it.
    fn merger_for(&mut self, log: &SwitchLog<'_>) -> CoreMerger {
        match self.merger.take() {
            Some(weaver) if weaver.timeline.layout == log.layout => return weaver,
            other => self.merger = other,
        }
        self.finish();
        self.previous_stats = self.stats();
        self.replayed_container = None;
        self.events.discard_before(u64::MAX);
        let mut options = self.options.clock;
        options.direction = options.direction.or(self.direction);
        CoreMerger::new(options, log.layout)
    }

    fn store_events(&mut self, events: Vec<LoggedEvent>) {
        self.previous_stats.events += events.len() as u64;
        for event in events {
            self.previous_stats.gaps += u64::from(event.missing != MissingEntries::None);
            self.events.push(event);
        }
    }
}
