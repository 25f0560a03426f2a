//! Frames read as records: their numbers followed, what is missing or damaged
//! taken down, the configuration changed where the target says so.

mod follow;

use super::columns::Head;
use super::deframe::{Frame, Receive};
use super::glued;
use super::losses::{Detail, Problem};
use super::page::{Footing, Page};
use super::plan::{MOST_ARGUMENTS, Plan, sum, window};
use super::record::{self, Refusal};
use super::stream::Run;
use rtoscope_trace::EventIndex;
use rtoscope_wire::rkh::{Configuration, Shape, TargetConfiguration, Width};

/// Reads records.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    plan: Plan,
    /// Whether the target told the configuration.
    told: bool,
    function: Option<Width>,
    split_glued: bool,
    /// Whether the target's configuration is not used.
    ignores_target: bool,
    /// What was read.
    pub(super) page: Page,
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
    /// Whether what comes next need not follow what came last.
    interrupted: bool,
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
            plan: Plan::new(with_function(configuration, function)),
            told: false,
            function,
            split_glued,
            ignores_target: false,
            page: Page::default(),
            expected: 0,
            regular: false,
            numbered: false,
            troubled: false,
            spoilt: 0,
            fresh: None,
            interrupted: false,
        }
    }

    /// Reads all records by the first configuration, whatever the target sends.
    pub(super) fn ignoring_target(self, ignores_target: bool) -> Self {
        Self {
            ignores_target,
            ..self
        }
    }

    /// Reads on from a record of that number.
    pub(super) fn at(
        first: u64,
        footing: &Footing,
        function: Option<Width>,
        split_glued: bool,
    ) -> Self {
        let mut reader = Self::new(footing.configuration, function, split_glued);
        reader.told = footing.target.is_some();
        reader.numbered = footing.sequence.is_some();
        reader.expected = footing.sequence.unwrap_or_default();
        reader.page.first = first;
        reader.page.columns.stamp = footing.stamp;
        reader.page.runs.push(reader.run(footing.target));
        reader.page.carries = true;
        reader
    }

    pub(super) fn configuration(&self) -> Configuration {
        self.plan.configuration
    }

    /// Whether the target told the configuration.
    pub(super) fn is_told(&self) -> bool {
        self.told
    }

    /// Reads the next records by another configuration.
    pub(super) fn change(&mut self, configuration: Configuration) {
        self.plan = Plan::new(with_function(configuration, self.function));
        self.regular = false;
        self.add_run(None);
    }

    /// The number of the first record of which the next tells whether the target
    /// started again before it; else the next record's.
    pub(super) fn settled(&self) -> u64 {
        let fresh = self.fresh.and_then(|run| self.page.runs.get(run));
        let open = fresh.filter(|run| !self.page.is_start(run.first));
        open.map_or(self.page.end(), |run| {
            self.page.first + u64::from(run.first.0)
        })
    }

    /// Ends the page and begins the next.
    pub(super) fn turn(&mut self) -> Page {
        self.fresh = None;
        let next = self.page.behind();
        std::mem::replace(&mut self.page, next)
    }

    /// What comes next need not follow what came last.
    pub(super) fn interrupt(&mut self) {
        // Nobody tells any more whether the target started again.
        self.fresh = None;
        self.interrupted = true;
        self.regular = false;
    }

    /// Whether no record came since the stream was interrupted.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted
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
        self.page.columns.push(head, &values, entry.count.into());
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
                    self.pass_interruption();
                    self.page.bare.push(EventIndex(self.page.columns.next()));
                } else {
                    self.follow(&head);
                }
                content.keep(head, &mut self.page.columns);
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
            self.page.losses.missing += 1;
        }
    }

    fn take_apart(&mut self, frame: Frame<'_>, parts: &[&[u8]]) {
        self.page.losses.split += 1;
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
        let event = self.page.columns.next();
        self.page.losses.add(Problem {
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
        if self.page.runs.is_empty() {
            self.page.runs.push(self.run(None));
        }
    }

    /// Begins a run with the next record.
    fn add_run(&mut self, target: Option<TargetConfiguration>) {
        let first = EventIndex(self.page.columns.next());
        // A run of no records is none.
        self.page.runs.pop_if(|run| run.first == first);
        self.page.carries &= !self.page.runs.is_empty();
        self.page.runs.push(self.run(target));
    }

    fn run(&self, target: Option<TargetConfiguration>) -> Run {
        Run {
            first: EventIndex(self.page.columns.next()),
            configuration: self.plan.configuration,
            target,
            restart: false,
            stamped: None,
        }
    }
}

/// With the size of a function's address that the user knows.
fn with_function(configuration: Configuration, function: Option<Width>) -> Configuration {
    Configuration {
        function: function.unwrap_or(configuration.function),
        ..configuration
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
