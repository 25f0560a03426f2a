//! Tracks sequence numbers: missing records and restarts of the target.

use super::RecordReader;
use crate::rkh::columns::FrameHeader;
use crate::rkh::deframer::StreamFrame;
use crate::rkh::losses::ProblemDetail;
use crate::rkh::record_content;
use crate::rkh::record_layout::RecordPlan;
use rtoscope_trace::{EventIndex, Gap};
use rtoscope_wire::rkh::{Dialect, TargetConfiguration, header};

impl RecordReader {
    /// Tracks the sequence number of the next record.
    #[inline(always)]
    pub(super) fn track_sequence(&mut self, head: &FrameHeader) {
        if !self.is_regular || head.sequence != self.expected {
            self.track_sequence_slow(head);
        }
        self.expected = self.expected.wrapping_add(u8::from(self.is_expected_known));
    }

    #[cold]
    fn track_sequence_slow(&mut self, head: &FrameHeader) {
        self.ensure_run();
        let has_number = self.plan.configuration.sequence;
        let missing = match self.configured_run.take() {
            Some(run) => self.start_run(run, has_number.then_some(head.sequence)),
            None if has_number && self.is_expected_known => {
                Some(u64::from(head.sequence.wrapping_sub(self.expected)))
            }
            None if has_number => Some(0),
            None => (!self.has_bad_frames).then_some(0),
        };
        if let Some(missing @ 1..) = missing {
            let missing = missing as u8;
            let detail = ProblemDetail::Gap {
                previous: head.sequence.wrapping_sub(missing).wrapping_sub(1),
                sequence: head.sequence,
                missing,
            };
            self.add_problem(head.offset, detail);
        }
        // Damaged frames without a missing sequence number did not belong to
        // the stream.
        let missing = missing.map(|missing| missing + self.damaged_records);
        let is_marked = std::mem::take(&mut self.has_aborted_frames);
        let missing = missing.filter(|missing| *missing > 0 || !is_marked);
        self.resync_after_connection_loss();
        if missing != Some(0) {
            self.add_gap(EventIndex(self.page.columns.next_event()), missing);
        }
        self.is_expected_known = has_number;
        self.expected = if has_number { head.sequence } else { 0 };
        self.is_regular = true;
        self.has_bad_frames = false;
        self.damaged_records = 0;
    }

    /// The number of records lost with the connection is unknown: sequence
    /// numbers show it only modulo 256.
    pub(super) fn resync_after_connection_loss(&mut self) {
        if std::mem::take(&mut self.is_interrupted) {
            self.add_gap(EventIndex(self.page.columns.next_event()), None);
        }
    }

    fn add_gap(&mut self, before: EventIndex, missing: Option<u64>) {
        let is_new = self
            .page
            .gaps
            .last()
            .is_none_or(|last| last.next_event < before);
        if !self.page.is_start(before) && is_new {
            self.page.gaps.push(Gap {
                next_event: before,
                missing,
                core: None,
                is_restart: false,
            });
        }
    }

    /// Handles a target's configuration.
    pub(super) fn take_target(&mut self, frame: StreamFrame<'_>, target: TargetConfiguration) {
        let configuration = match self.ignores_target {
            true => self.plan.configuration,
            false => self.unsent.apply(target.configuration(None)),
        };
        self.plan = RecordPlan::new(configuration);
        self.is_target_configured = true;
        // In RKH 2.3 to 2.4.03 it is an ordinary record.
        let head = header::split_frame(frame.bytes, &configuration);
        let numbered = target.dialect <= Dialect::V2_4_3;
        let header = head.ok().map(|(header, _)| header).filter(|_| numbered);
        let head = FrameHeader {
            id: TargetConfiguration::id(target.dialect).unwrap_or_default(),
            offset: frame.offset,
            sequence: header
                .and_then(|header| header.sequence)
                .unwrap_or_default(),
            timestamp: header.and_then(|header| header.timestamp),
        };
        let first = EventIndex(self.page.columns.next_event());
        self.resync_after_connection_loss();
        self.add_run(Some(target));
        self.configured_run = self.page.runs.len().checked_sub(1);
        self.is_regular = false;
        self.has_bad_frames = false;
        match header {
            Some(_) => self.track_sequence(&head),
            None => self.page.headerless.push(first),
        }
        record_content::target_content(&target).push_to(head, &mut self.page.columns);
    }

    /// Decides whether the target restarted before its configuration: then its
    /// first record has number 0. Returns the number of records missing after
    /// it.
    fn start_run(&mut self, run: usize, sequence: Option<u8>) -> Option<u64> {
        let run = self.page.runs.get_mut(run)?;
        if self.page.first == 0 && run.first.0 == 0 {
            // A recording may begin in the middle.
            return Some(0);
        }
        let skipped = sequence.filter(|_| self.is_expected_known);
        let skipped = skipped.map(|sequence| sequence.wrapping_sub(self.expected));
        if let (Some(skipped), Some(sequence)) = (skipped, sequence)
            && skipped < sequence
        {
            // Without a restart, fewer records would be missing than with one.
            return Some(skipped.into());
        }
        run.restart = true;
        let before = run.first;
        self.add_restart_gap(before);
        self.damaged_records = 0;
        match sequence {
            Some(sequence) => Some(sequence.into()),
            None => (!self.has_bad_frames).then_some(0),
        }
    }

    /// Adds a gap before a restart: records before it may be missing.
    fn add_restart_gap(&mut self, before: EventIndex) {
        let at = self
            .page
            .gaps
            .partition_point(|gap| gap.next_event < before);
        match self.page.gaps.get_mut(at) {
            Some(gap) if gap.next_event == before => {
                gap.missing = None;
                gap.is_restart = true;
            }
            _ => self.page.gaps.insert(
                at,
                Gap {
                    next_event: before,
                    missing: None,
                    core: None,
                    is_restart: true,
                },
            ),
        }
    }
}
