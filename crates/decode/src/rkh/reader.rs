//! Frames read as records: their numbers followed, what is missing or damaged
//! taken down, the configuration changed where the target says so.

use super::columns::{Columns, Head};
use super::deframe::{Frame, Receive};
use super::glued;
use super::losses::{Detail, Losses, Problem};
use super::plan::{MOST_ARGUMENTS, Plan, sum, window};
use super::record::{self, Refusal};
use super::stream::Run;
use rtoscope_trace::{EventIndex, Gap};
use rtoscope_wire::rkh::{Configuration, Dialect, Shape, TargetConfiguration, Width, header};

/// Reads records.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    plan: Plan,
    /// Whether the target told the configuration.
    told: bool,
    function: Option<Width>,
    split_glued: bool,
    pub(super) columns: Columns,
    pub(super) runs: Vec<Run>,
    pub(super) bare: Vec<EventIndex>,
    pub(super) losses: Losses,
    pub(super) gaps: Vec<Gap>,
    /// The sequence number that should come next; not of use unless `regular`.
    expected: u8,
    /// Whether nothing but the expected number is of note.
    regular: bool,
    /// Whether `expected` is known.
    numbered: bool,
    /// Whether there were bad frames since the last record.
    troubled: bool,
    /// Records since the last good one that came, but damaged.
    spoilt: u64,
    /// The run that begins with a target's configuration, if no record came
    /// since that tells whether the target started again.
    fresh: Option<usize>,
}

/// The ids that a target's configuration has had: since 3.0, in 2.4.05 and
/// 2.4.06, and before.
const TARGET_IDS: [u8; 3] = [0xAC, 0xAE, 0xAD];

impl Reader {
    pub(super) fn new(
        configuration: Configuration,
        function: Option<Width>,
        split_glued: bool,
    ) -> Self {
        Self {
            plan: Plan::new(configuration),
            told: false,
            function,
            split_glued,
            columns: Columns::default(),
            runs: Vec::new(),
            bare: Vec::new(),
            losses: Losses::default(),
            gaps: Vec::new(),
            expected: 0,
            regular: false,
            numbered: false,
            troubled: false,
            spoilt: 0,
            fresh: None,
        }
    }

    pub(super) fn configuration(&self) -> Configuration {
        self.plan.configuration
    }

    /// The stream ends within a frame, or behind one that no flag ends.
    pub(super) fn end(&mut self, frame: Frame<'_>, cut: bool) {
        let whole = !cut && self.plan.configuration.checksum && self.is_sound(frame.bytes);
        if whole {
            self.record(frame);
        } else {
            let bytes = frame.bytes.len() as u64;
            let detail = if frame.leads {
                Detail::Lead { bytes }
            } else {
                Detail::Tail { bytes }
            };
            self.problem(frame.offset, detail);
        }
    }

    fn is_sound(&self, frame: &[u8]) -> bool {
        record::read(&self.plan, frame).is_ok() || self.target_of(frame).is_some()
    }

    #[inline(always)]
    fn record(&mut self, frame: Frame<'_>) {
        let Some(id) = frame.bytes.first() else {
            return;
        };
        let entry = *self.plan.entry(*id);
        if frame.bytes.len() != usize::from(entry.length) {
            self.record_slowly(frame);
            return;
        }
        let window = window(frame.onwards);
        let configuration = &self.plan.configuration;
        if configuration.checksum && sum(&window, entry.length) != 0 {
            self.record_slowly(frame);
            return;
        }
        let [_, sequence, ..] = window;
        let head = Head {
            id: *id,
            offset: frame.offset,
            sequence: if configuration.sequence { sequence } else { 0 },
            stamp: configuration.stamp.map(|_| self.plan.stamp.load(&window)),
        };
        let mut values = [0; MOST_ARGUMENTS];
        for (value, field) in values.iter_mut().zip(&entry.fields) {
            *value = field.load(&window);
        }
        self.follow(&head);
        self.columns.push(head, &values, entry.count.into());
    }

    #[cold]
    fn record_slowly(&mut self, frame: Frame<'_>) {
        let known = self
            .plan
            .record(frame.bytes.first().copied().unwrap_or_default());
        let is_target = known.is_some_and(|record| record.shape == Shape::Configuration);
        // Where the target has told its version, its other records come first.
        let target = if self.told && !is_target {
            None
        } else {
            self.target_of(frame.bytes)
        };
        if let Some(target) = target {
            self.target(frame, target);
            return;
        }
        match record::read(&self.plan, frame.bytes) {
            Ok((header, content)) => {
                let head = Head {
                    id: header.id,
                    offset: frame.offset,
                    sequence: header.sequence.unwrap_or_default(),
                    stamp: header.stamp,
                };
                if known.is_some_and(|record| record.bare) {
                    self.begin();
                    self.bare.push(EventIndex(self.columns.next()));
                } else {
                    self.follow(&head);
                }
                content.keep(head, &mut self.columns);
            }
            Err(refusal) => self.refuse(frame, refusal),
        }
    }

    /// The target's configuration, if the frame is one.
    fn target_of(&self, frame: &[u8]) -> Option<TargetConfiguration> {
        let id = frame.first()?;
        TARGET_IDS
            .contains(id)
            .then(|| TargetConfiguration::parse(frame))?
    }

    fn refuse(&mut self, frame: Frame<'_>, refusal: Refusal) {
        let bytes = frame.bytes.len() as u64;
        if self.told
            && let Some(target) = self.target_of(frame.bytes)
        {
            self.target(frame, target);
            return;
        }
        if frame.leads {
            self.problem(frame.offset, Detail::Lead { bytes });
            return;
        }
        let id = frame.bytes.first().copied().unwrap_or_default();
        let (detail, sequence) = match refusal {
            Refusal::Checksum => (Detail::Checksum { id, bytes }, None),
            Refusal::Unknown { sequence } => (
                Detail::Unknown {
                    id,
                    bytes,
                    sequence,
                },
                sequence,
            ),
            Refusal::Malformed { sequence, extra } => {
                let parts = glued::split(&self.plan, frame.bytes);
                if self.split_glued && !parts.is_empty() {
                    self.take_apart(frame, &parts);
                    return;
                }
                let glued = u32::try_from(parts.len()).unwrap_or(u32::MAX);
                let detail = Detail::Malformed {
                    id,
                    extra,
                    bytes,
                    sequence,
                    glued,
                };
                (detail, sequence)
            }
        };
        self.problem(frame.offset, detail);
        // Such a frame is not to be trusted: its number counts if it fits.
        if self.numbered && self.fresh.is_none() && sequence == Some(self.expected) {
            self.expected = self.expected.wrapping_add(1);
            self.spoilt += 1;
        }
    }

    fn take_apart(&mut self, frame: Frame<'_>, parts: &[&[u8]]) {
        self.losses.split += 1;
        let mut offset = frame.offset;
        for part in parts {
            self.record(Frame {
                offset,
                bytes: part,
                onwards: part,
                leads: false,
            });
            offset += glued::line_bytes(part);
        }
    }

    fn problem(&mut self, offset: u64, detail: Detail) {
        let event = self.columns.next();
        self.losses.add(Problem {
            offset,
            event,
            detail,
        });
        if detail.kind().is_bad_frame() {
            self.troubled = true;
            self.regular = false;
        }
    }

    /// Makes the first run, if there is none.
    fn begin(&mut self) {
        if self.runs.is_empty() {
            self.runs.push(self.run(None));
        }
    }

    fn run(&self, target: Option<TargetConfiguration>) -> Run {
        Run {
            first: EventIndex(self.columns.next()),
            configuration: self.plan.configuration,
            target,
            restart: false,
            stamped: None,
        }
    }

    /// Follows the sequence numbers to the next record.
    #[inline(always)]
    fn follow(&mut self, head: &Head) {
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
        if missing != Some(0) {
            self.gap(EventIndex(self.columns.next()), missing);
        }
        self.numbered = has_number;
        self.expected = if has_number { head.sequence } else { 0 };
        self.regular = true;
        self.troubled = false;
        self.spoilt = 0;
    }

    fn gap(&mut self, before: EventIndex, missing: Option<u64>) {
        let is_new = self.gaps.last().is_none_or(|last| last.before < before);
        if before.0 > 0 && is_new {
            self.gaps.push(Gap { before, missing });
        }
    }

    /// Takes a target's configuration.
    fn target(&mut self, frame: Frame<'_>, target: TargetConfiguration) {
        let configuration = target.configuration(self.function);
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
        let first = EventIndex(self.columns.next());
        self.runs.push(self.run(Some(target)));
        self.fresh = self.runs.len().checked_sub(1);
        self.regular = false;
        self.troubled = false;
        match header {
            Some(_) => self.follow(&head),
            None => self.bare.push(first),
        }
        record::target_content(&target).keep(head, &mut self.columns);
    }

    /// Decides whether the target started again before its configuration: its
    /// first record has number 0 then. Returns how many records are missing
    /// behind it.
    fn start_run(&mut self, run: usize, sequence: Option<u8>) -> Option<u64> {
        let run = self.runs.get_mut(run)?;
        if run.first.0 == 0 {
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
        let at = self.gaps.partition_point(|gap| gap.before < before);
        match self.gaps.get_mut(at) {
            Some(gap) if gap.before == before => gap.missing = None,
            _ => self.gaps.insert(
                at,
                Gap {
                    before,
                    missing: None,
                },
            ),
        }
    }
}

impl Receive for Reader {
    #[inline(always)]
    fn frame(&mut self, frame: Frame<'_>) {
        if frame.leads && !self.plan.configuration.checksum && self.target_of(frame.bytes).is_none()
        {
            let bytes = frame.bytes.len() as u64;
            self.problem(frame.offset, Detail::Lead { bytes });
            return;
        }
        self.record(frame);
    }

    fn aborted(&mut self, offset: u64, bytes: u64) {
        self.problem(offset, Detail::Aborted { bytes });
    }

    fn too_long(&mut self, offset: u64, bytes: u64) {
        self.problem(offset, Detail::TooLong { bytes });
    }
}
