//! The numbers of records followed: what is missing, and whether the target
//! started again.

use super::Reader;
use crate::rkh::columns::Head;
use crate::rkh::deframe::Frame;
use crate::rkh::losses::Detail;
use crate::rkh::plan::Plan;
use crate::rkh::record;
use rtoscope_trace::{EventIndex, Gap};
use rtoscope_wire::rkh::{Dialect, TargetConfiguration, header};

impl Reader {
    /// Follows the sequence numbers to the next record.
    #[inline(always)]
    pub(super) fn follow(&mut self, head: &Head) {
        if !self.regular || head.sequence != self.expected {
            self.follow_irregular(head);
        }
        self.expected = self.expected.wrapping_add(u8::from(self.numbered));
    }

    #[cold]
    fn follow_irregular(&mut self, head: &Head) {
        self.begin();
        let has_number = self.plan.configuration.sequence;
        let missing = match self.fresh.take() {
            Some(run) => self.start_run(run, has_number.then_some(head.sequence)),
            None if has_number && self.numbered => {
                Some(u64::from(head.sequence.wrapping_sub(self.expected)))
            }
            None if has_number => Some(0),
            None => (!self.troubled).then_some(0),
        };
        if let Some(missing @ 1..) = missing {
            let missing = missing as u8;
            let detail = Detail::Gap {
                previous: head.sequence.wrapping_sub(missing).wrapping_sub(1),
                sequence: head.sequence,
                missing,
            };
            self.problem(head.offset, detail);
        }
        // Damaged frames that the numbers do not miss were none of the stream's.
        let missing = missing.map(|missing| missing + self.spoilt);
        self.pass_interruption();
        if missing != Some(0) {
            self.gap(EventIndex(self.page.columns.next()), missing);
        }
        self.numbered = has_number;
        self.expected = if has_number { head.sequence } else { 0 };
        self.regular = true;
        self.troubled = false;
        self.spoilt = 0;
    }

    /// Nobody knows how much went by while the connection was broken: the numbers
    /// of records tell it modulo 256 only.
    pub(super) fn pass_interruption(&mut self) {
        if std::mem::take(&mut self.interrupted) {
            self.gap(EventIndex(self.page.columns.next()), None);
        }
    }

    fn gap(&mut self, before: EventIndex, missing: Option<u64>) {
        let is_new = self
            .page
            .gaps
            .last()
            .is_none_or(|last| last.before < before);
        if !self.page.is_start(before) && is_new {
            self.page.gaps.push(Gap {
                before,
                missing,
                core: None,
            });
        }
    }

    /// Takes a target's configuration.
    pub(super) fn target(&mut self, frame: Frame<'_>, target: TargetConfiguration) {
        let configuration = match self.ignores_target {
            true => self.plan.configuration,
            false => target.configuration(self.function),
        };
        self.plan = Plan::new(configuration);
        self.told = true;
        // In RKH 2.3 to 2.4.03 it is a record like others.
        let head = header::split(frame.bytes, &configuration);
        let numbered = target.dialect <= Dialect::V2_4_3;
        let header = head.ok().map(|(header, _)| header).filter(|_| numbered);
        let head = Head {
            id: frame.bytes.first().copied().unwrap_or_default(),
            offset: frame.offset,
            sequence: header
                .and_then(|header| header.sequence)
                .unwrap_or_default(),
            stamp: header.and_then(|header| header.stamp),
        };
        let first = EventIndex(self.page.columns.next());
        self.pass_interruption();
        self.add_run(Some(target));
        self.fresh = self.page.runs.len().checked_sub(1);
        self.regular = false;
        self.troubled = false;
        match header {
            Some(_) => self.follow(&head),
            None => self.page.bare.push(first),
        }
        record::target_content(&target).keep(head, &mut self.page.columns);
    }

    /// Decides whether the target started again before its configuration: its
    /// first record has number 0 then. Returns how many records are missing
    /// behind it.
    fn start_run(&mut self, run: usize, sequence: Option<u8>) -> Option<u64> {
        let run = self.page.runs.get_mut(run)?;
        if self.page.first == 0 && run.first.0 == 0 {
            // A recording may begin in the middle.
            return Some(0);
        }
        let skipped = sequence.filter(|_| self.numbered);
        let skipped = skipped.map(|sequence| sequence.wrapping_sub(self.expected));
        if let (Some(skipped), Some(sequence)) = (skipped, sequence)
            && skipped < sequence
        {
            // Less would be lost if it went on than if it started again.
            return Some(skipped.into());
        }
        run.restart = true;
        let before = run.first;
        self.restart_gap(before);
        self.spoilt = 0;
        match sequence {
            Some(sequence) => Some(sequence.into()),
            None => (!self.troubled).then_some(0),
        }
    }

    /// What happened before a restart is not known to have been all.
    fn restart_gap(&mut self, before: EventIndex) {
        let at = self.page.gaps.partition_point(|gap| gap.before < before);
        match self.page.gaps.get_mut(at) {
            Some(gap) if gap.before == before => gap.missing = None,
            _ => self.page.gaps.insert(
                at,
                Gap {
                    before,
                    missing: None,
                    core: None,
                },
            ),
        }
    }
}
