//! Reads frames as records: tracks their sequence numbers, collects missing and
//! damaged records, and applies the target's configurations.

mod sequence_tracker;

use super::columns::FrameHeader;
use super::deframer::{FrameReceiver, StreamFrame};
use super::glued_frames;
use super::losses::{ProblemDetail, StreamProblem};
use super::own_records::OwnRecords;
use super::record_content::{self, RecordError};
use super::record_layout::{MAX_ARGUMENTS, RecordPlan, sum, window};
use super::record_page::{RecordPage, RecordState};
use super::stream_info::StreamRun;
use super::{RkhOptions, UnsentSettings};
use rtoscope_trace::EventIndex;
use rtoscope_wire::rkh::header;
use rtoscope_wire::rkh::{ArgumentLayout, Group, StreamConfiguration, TargetConfiguration};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Reads records from frames.
#[derive(Debug, Clone)]
pub(super) struct RecordReader {
    plan: RecordPlan,
    /// Whether the target sent the configuration.
    is_target_configured: bool,
    unsent: UnsentSettings,
    split_glued: bool,
    /// Whether to ignore the target's configurations.
    ignores_target: bool,
    /// The records read so far.
    pub(super) page: RecordPage,
    /// The expected sequence number; valid only if `is_regular`.
    expected: u8,
    /// Whether only the expected sequence number needs no further check.
    is_regular: bool,
    /// Whether `expected` is known.
    is_expected_known: bool,
    /// Whether there were bad frames since the last record.
    has_bad_frames: bool,
    /// Whether the sender aborted frames since the last record: it marks that records
    /// are missing, even if sequence numbers, which count them modulo 256, continue.
    has_aborted_frames: bool,
    /// Damaged records since the last valid one.
    damaged_records: u64,
    /// The run that begins with a target's configuration, if no later record
    /// has decided yet whether the target restarted.
    configured_run: Option<usize>,
    /// Whether the next bytes need not continue the last ones.
    is_interrupted: bool,
}

/// The low bits of the first byte of the target's configuration record: its event's
/// number since 3.0, before, and in 2.4.05 and 2.4.06.
const TARGET_RECORD_EVENTS: RangeInclusive<u8> = 0x0C..=0x0E;

impl RecordReader {
    pub(super) fn new(configuration: StreamConfiguration, options: &RkhOptions) -> Self {
        let unsent = options.unsent();
        Self {
            plan: RecordPlan::new(unsent.apply(configuration)),
            is_target_configured: false,
            unsent,
            split_glued: options.split_glued,
            ignores_target: options.ignores_target,
            page: RecordPage::default(),
            expected: 0,
            is_regular: false,
            is_expected_known: false,
            has_bad_frames: false,
            has_aborted_frames: false,
            damaged_records: 0,
            configured_run: None,
            is_interrupted: false,
        }
    }

    /// Resumes reading at a record.
    pub(super) fn resume(first: u64, record_state: &RecordState, options: &RkhOptions) -> Self {
        let mut reader = Self::new(record_state.configuration, options);
        reader.is_target_configured = record_state.target.is_some();
        reader.is_expected_known = record_state.sequence.is_some();
        reader.expected = record_state.sequence.unwrap_or_default();
        reader.page.first = first;
        reader.page.columns.last_timestamp = record_state.timestamp;
        reader.page.runs.push(reader.new_run(record_state.target));
        reader.page.continues_run = true;
        reader
    }

    pub(super) fn configuration(&self) -> StreamConfiguration {
        self.plan.configuration
    }

    /// The formats of the application's own records.
    pub(super) fn own_records(&self) -> &OwnRecords {
        &self.unsent.own_records
    }

    /// Whether the target sent the configuration.
    pub(super) fn is_target_configured(&self) -> bool {
        self.is_target_configured
    }

    /// Sets the configuration of the following records.
    pub(super) fn set_configuration(&mut self, configuration: StreamConfiguration) {
        self.plan = RecordPlan::new(self.unsent.apply(configuration));
        self.is_regular = false;
        self.add_run(None);
    }

    /// The number of the first record for which it is undecided whether the
    /// target restarted before it; otherwise the number of the next record.
    pub(super) fn settled_events(&self) -> u64 {
        let fresh = self.configured_run.and_then(|run| self.page.runs.get(run));
        let open = fresh.filter(|run| !self.page.is_start(run.first));
        open.map_or(self.page.end(), |run| {
            self.page.first + u64::from(run.first.0)
        })
    }

    /// Returns the current page and begins the next.
    pub(super) fn take_page(&mut self) -> RecordPage {
        self.configured_run = None;
        let next = self.page.continuation();
        std::mem::replace(&mut self.page, next)
    }

    /// The connection was lost: the next bytes need not continue the last ones.
    pub(super) fn connection_lost(&mut self) {
        // A restart is no longer detectable.
        self.configured_run = None;
        self.is_interrupted = true;
        self.is_regular = false;
    }

    /// Whether no record arrived since the connection was lost.
    pub(super) fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// The stream ends within a frame, or after one without a closing flag: a frame that
    /// is exactly one record probably lacks only its flag.
    pub(super) fn finish(&mut self, frame: StreamFrame<'_>, cut: bool) {
        let begins_here = !frame.is_lead || self.plan.configuration.checksum;
        if !cut && begins_here && self.is_sound(frame.bytes) {
            let bytes = frame.bytes.len() as u64;
            self.add_problem(frame.offset, ProblemDetail::Unclosed { bytes });
            self.read_record(frame);
        } else {
            let bytes = frame.bytes.len() as u64;
            let detail = if frame.is_lead {
                ProblemDetail::Lead { bytes }
            } else {
                ProblemDetail::Tail { bytes }
            };
            self.add_problem(frame.offset, detail);
        }
    }

    fn is_sound(&self, frame: &[u8]) -> bool {
        record_content::read(&self.plan, &self.unsent.own_records, frame).is_ok()
            || self.target_of(frame).is_some()
    }

    #[inline(always)]
    fn read_record(&mut self, frame: StreamFrame<'_>) {
        let Some(id) = frame.bytes.first() else {
            return;
        };
        let entry = *self.plan.entry(*id);
        if frame.bytes.len() != usize::from(entry.length) {
            self.read_record_checked(frame);
            return;
        }
        let window = window(frame.lookahead);
        let configuration = &self.plan.configuration;
        if configuration.checksum && sum(&window, entry.length) != 0 {
            self.read_record_checked(frame);
            return;
        }
        let [_, sequence, ..] = window;
        let head = FrameHeader {
            id: *id,
            offset: frame.offset,
            sequence: if configuration.sequence { sequence } else { 0 },
            timestamp: configuration
                .timestamp
                .map(|_| self.plan.timestamp.load(&window)),
        };
        let mut values = [0; MAX_ARGUMENTS];
        for (value, field) in values.iter_mut().zip(&entry.fields) {
            *value = field.load(&window);
        }
        self.track_sequence(&head);
        self.page
            .columns
            .push(head, &values, entry.argument_count.into());
    }

    #[cold]
    fn read_record_checked(&mut self, frame: StreamFrame<'_>) {
        let known = self.plan.record_of(frame.bytes);
        let is_target = known.is_some_and(|record| record.layout == ArgumentLayout::Configuration);
        // If the target has sent its version, its other records take
        // precedence.
        let target = if self.is_target_configured && !is_target {
            None
        } else {
            self.target_of(frame.bytes)
        };
        if let Some(target) = target {
            self.take_target(frame, target);
            return;
        }
        let own_records = Arc::clone(&self.unsent.own_records);
        match record_content::read(&self.plan, &own_records, frame.bytes) {
            Ok((header, content)) => {
                let head = FrameHeader {
                    id: header.id,
                    offset: frame.offset,
                    sequence: header.sequence.unwrap_or_default(),
                    timestamp: header.timestamp,
                };
                if known.is_some_and(|record| record.headerless) {
                    self.ensure_run();
                    self.resync_after_connection_loss();
                    self.page
                        .headerless
                        .push(EventIndex(self.page.columns.next_event()));
                } else {
                    self.track_sequence(&head);
                }
                content.push_to(head, &mut self.page.columns);
            }
            Err(error) => self.reject(frame, error),
        }
    }

    /// The target's configuration, if the frame contains one.
    fn target_of(&self, frame: &[u8]) -> Option<TargetConfiguration> {
        let event = Group::event_number(*frame.first()?);
        TARGET_RECORD_EVENTS
            .contains(&event)
            .then(|| TargetConfiguration::parse(frame))?
    }

    fn reject(&mut self, frame: StreamFrame<'_>, error: RecordError) {
        let bytes = frame.bytes.len() as u64;
        if self.is_target_configured
            && let Some(target) = self.target_of(frame.bytes)
        {
            self.take_target(frame, target);
            return;
        }
        if frame.is_lead {
            self.add_problem(frame.offset, ProblemDetail::Lead { bytes });
            return;
        }
        if let Some((text, record)) = self.split_text(frame.bytes) {
            self.add_problem(
                frame.offset,
                ProblemDetail::Text {
                    bytes: text.len() as u64,
                },
            );
            self.read_record(StreamFrame {
                offset: frame.offset + glued_frames::line_bytes(text),
                bytes: record,
                lookahead: record,
                is_lead: false,
            });
            return;
        }
        let configuration = &self.plan.configuration;
        let number = header::frame_id_number(frame.bytes, configuration).unwrap_or_default();
        let id = header::frame_id(frame.bytes, configuration).unwrap_or(number as u8);
        let (detail, sequence) = match error {
            RecordError::Checksum => (ProblemDetail::Checksum { id, bytes }, None),
            RecordError::Unknown { sequence } => (
                ProblemDetail::Unknown {
                    id: number,
                    bytes,
                    sequence,
                },
                sequence,
            ),
            RecordError::Malformed { sequence, extra } => {
                let parts =
                    glued_frames::split_frame(&self.plan, &self.unsent.own_records, frame.bytes);
                if self.split_glued && !parts.is_empty() {
                    self.split_glued_frame(frame, &parts);
                    return;
                }
                let glued = u32::try_from(parts.len()).unwrap_or(u32::MAX);
                let detail = ProblemDetail::Malformed {
                    id,
                    extra,
                    bytes,
                    sequence,
                    glued,
                };
                (detail, sequence)
            }
        };
        self.add_problem(frame.offset, detail);
        // The sequence number of a damaged frame is used only if it is the
        // expected one.
        if self.is_expected_known
            && self.configured_run.is_none()
            && sequence == Some(self.expected)
        {
            self.expected = self.expected.wrapping_add(1);
            self.damaged_records += 1;
            self.page.losses.missing_records += 1;
        }
    }

    /// The text before the expected record of a frame, and that record.
    fn split_text<'a>(&self, frame: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        if !self.is_expected_known || self.configured_run.is_some() {
            return None;
        }
        let own_records = &self.unsent.own_records;
        let start = glued_frames::record_after_text(&self.plan, own_records, frame, self.expected)?;
        frame.split_at_checked(start)
    }

    fn split_glued_frame(&mut self, frame: StreamFrame<'_>, parts: &[&[u8]]) {
        self.page.losses.split_frames += 1;
        let mut offset = frame.offset;
        for part in parts {
            self.read_record(StreamFrame {
                offset,
                bytes: part,
                lookahead: part,
                is_lead: false,
            });
            offset += glued_frames::line_bytes(part);
        }
    }

    fn add_problem(&mut self, offset: u64, detail: ProblemDetail) {
        let event = self.page.columns.next_event();
        self.page.losses.add(StreamProblem {
            offset,
            event,
            detail,
        });
        if detail.kind().is_bad_frame() {
            self.has_bad_frames = true;
            self.is_regular = false;
        }
    }

    /// Creates the first run, if there is none.
    fn ensure_run(&mut self) {
        if self.page.runs.is_empty() {
            self.page.runs.push(self.new_run(None));
        }
    }

    /// Starts a run at the next record.
    fn add_run(&mut self, target: Option<TargetConfiguration>) {
        let first = EventIndex(self.page.columns.next_event());
        // Remove a run without records.
        self.page.runs.pop_if(|run| run.first == first);
        self.page.continues_run &= !self.page.runs.is_empty();
        self.page.runs.push(self.new_run(target));
    }

    fn new_run(&self, target: Option<TargetConfiguration>) -> StreamRun {
        StreamRun {
            first: EventIndex(self.page.columns.next_event()),
            configuration: self.plan.configuration,
            target,
            restart: false,
        }
    }
}

impl FrameReceiver for RecordReader {
    #[inline(always)]
    fn frame(&mut self, frame: StreamFrame<'_>) {
        if frame.is_lead
            && !self.plan.configuration.checksum
            && self.target_of(frame.bytes).is_none()
        {
            let bytes = frame.bytes.len() as u64;
            self.add_problem(frame.offset, ProblemDetail::Lead { bytes });
            return;
        }
        self.read_record(frame);
    }

    fn aborted(&mut self, offset: u64, bytes: u64) {
        self.add_problem(offset, ProblemDetail::Aborted { bytes });
        self.has_aborted_frames = true;
    }

    fn too_long(&mut self, offset: u64, bytes: u64) {
        self.add_problem(offset, ProblemDetail::TooLong { bytes });
    }
}
