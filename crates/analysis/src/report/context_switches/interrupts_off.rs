//! Times in which no interrupt is taken.

use super::TimeShare;
use crate::report::{Distribution, Hex, Samples, View};
use crate::schedule::{InterruptsOffEnding, InterruptsOffSection};
use rtoscope_trace::{EventIndex, Name, Ticks};
use serde::Serialize;

/// How many of the longest are listed.
const MAX_LISTED: usize = 10;

/// When interrupts were off, from the event that disabled them to the one that
/// enabled them again. What is disabled further in between does not count anew.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InterruptsOffReport {
    /// Times that they were disabled, or first found to be.
    pub count: u64,
    /// Of these, entries meanwhile that leave them disabled: two of each inner
    /// pair of disabling and restoring.
    pub nested: u64,
    /// How long in all, as far as is known.
    #[serde(flatten)]
    pub share: TimeShare,
    /// How long each lasted: those of which both ends are recorded.
    pub duration: Option<Distribution>,
    /// The longest of which a part lies in the scope, the longest first; of the
    /// same length the earlier first.
    pub longest: Vec<InterruptsOffRow>,
    /// Those of which it is not known how long they lasted.
    pub unknown: UnknownDurations,
}

/// Why it is not known how long interrupts were off: each is counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct UnknownDurations {
    /// They were off already where the recording began, or behind a gap or a
    /// switch.
    pub start_unknown: u64,
    /// The core went to another thread or idle before they were enabled.
    pub switched: u64,
    /// They were enabled without a record.
    pub unrecorded: u64,
    /// Events are missing.
    pub lost: u64,
    /// They were still off where the recording ends.
    pub open: u64,
}

/// A time in which interrupts were off.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InterruptsOffRow {
    /// The thread on whose behalf they were disabled, or `(idle)` or
    /// `(interrupt)`.
    pub context: String,
    /// The handler that disabled them, if one did.
    pub handler: Option<String>,
    /// The core.
    pub core: u8,
    /// When it began, in ticks.
    pub start_ticks: u64,
    /// How long it lasted at least, in ticks, in the scope or not.
    pub ticks: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ns: Option<u64>,
    /// Whether it lasted exactly that long.
    pub complete: bool,
    /// Its beginning: `disabled`, or `found` where that was not recorded.
    pub beginning: &'static str,
    /// Its end: `restored`, or why that is not known: `switched`, `unseen`,
    /// `lost` or `open`.
    pub ending: &'static str,
    /// Entries meanwhile that leave interrupts disabled: two of each inner pair.
    pub nested: u32,
    /// The event that disabled them.
    pub first_event: u32,
    /// The event that enabled them, or the last that is known of it.
    pub last_event: u32,
    /// Where in the code they were disabled.
    pub disabled_at: Option<CodeLocationRow>,
    /// Where in the code they were enabled; `None` if that is not recorded.
    pub enabled_at: Option<CodeLocationRow>,
}

/// A place in the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeLocationRow {
    /// Its address.
    pub address: Hex,
    /// The function, if it is known.
    pub function: Option<String>,
    /// The source file, if it is known.
    pub file: Option<String>,
    /// The line in the file.
    pub line: Option<u32>,
    /// All of it for people.
    pub text: String,
}

/// When interrupts were off on the cores of the scope, by its threads; `None`
/// if nothing in the whole recording says that they ever were.
pub(super) fn interrupts_off(view: &View<'_>) -> Option<InterruptsOffReport> {
    if view.schedule.interrupts_off.is_empty() {
        return None;
    }
    let [mut count, mut nested, mut ticks] = [0; 3];
    let mut duration = Samples::default();
    let mut unknown = UnknownDurations::default();
    let mut longest: Vec<&InterruptsOffSection> = Vec::new();
    for masked in sections_in_scope(view) {
        ticks += view.clip(masked.start, masked.end).0;
        if view.contains(masked.start) {
            count += 1;
            nested += u64::from(masked.nested);
            unknown.count(masked);
        }
        if masked.is_complete() && view.contains(masked.end) {
            duration.add(masked.duration(), masked.last);
        }
        if overlaps_scope(view, masked) {
            longest.push(masked);
            if longest.len() >= 2 * MAX_LISTED {
                keep_longest(&mut longest);
            }
        }
    }
    keep_longest(&mut longest);
    Some(InterruptsOffReport {
        count,
        nested,
        share: TimeShare::of(view, ticks),
        duration: duration.distribution(&view.trace.clock),
        longest: longest
            .into_iter()
            .map(|it| InterruptsOffRow::of(view, it))
            .collect(),
        unknown,
    })
}

/// Those of the scope's cores and threads, at any time.
pub(in crate::report) fn sections_in_scope<'a>(
    view: &View<'a>,
) -> impl Iterator<Item = &'a InterruptsOffSection> {
    let view = *view;
    let all = view.schedule.interrupts_off.iter();
    all.filter(move |masked| {
        let context = masked.context;
        view.includes_core(masked.core) && (!context.is_thread() || view.includes_thread(context))
    })
}

/// Whether a part of it lies in the scope.
pub(in crate::report) fn overlaps_scope(view: &View<'_>, masked: &InterruptsOffSection) -> bool {
    let window = view.window();
    masked.start.0 <= window.end && window.start <= masked.end.0
}

fn keep_longest(all: &mut Vec<&InterruptsOffSection>) {
    all.sort_by_key(|masked| (std::cmp::Reverse(masked.duration()), masked.first));
    all.truncate(MAX_LISTED);
}

impl UnknownDurations {
    fn count(&mut self, masked: &InterruptsOffSection) {
        let count = match masked.ending {
            _ if !masked.start_known => &mut self.start_unknown,
            InterruptsOffEnding::Restored => return,
            InterruptsOffEnding::Switched => &mut self.switched,
            InterruptsOffEnding::Unrecorded => &mut self.unrecorded,
            InterruptsOffEnding::Lost => &mut self.lost,
            InterruptsOffEnding::Open => &mut self.open,
        };
        *count += 1;
    }
}

impl InterruptsOffRow {
    pub(in crate::report) fn of(view: &View<'_>, masked: &InterruptsOffSection) -> Self {
        let activations = &view.schedule.activations;
        let routine = masked.activation.and_then(|id| activations.get(id.index()));
        let ticks = masked.duration();
        let restored = masked.ending == InterruptsOffEnding::Restored;
        Self {
            context: view.trace.context_name(masked.context),
            handler: routine.map(|it| view.schedule.isr_name(it.number)),
            core: masked.core,
            start_ticks: masked.start.0,
            ticks: ticks.0,
            ns: view.nanoseconds(ticks),
            complete: masked.is_complete(),
            beginning: if masked.start_known {
                "disabled"
            } else {
                "found"
            },
            ending: match masked.ending {
                InterruptsOffEnding::Restored => "restored",
                InterruptsOffEnding::Switched => "switched",
                InterruptsOffEnding::Unrecorded => "unseen",
                InterruptsOffEnding::Lost => "lost",
                InterruptsOffEnding::Open => "open",
            },
            nested: masked.nested,
            first_event: masked.first.0,
            last_event: masked.last.0,
            disabled_at: CodeLocationRow::of(view, masked.first),
            enabled_at: CodeLocationRow::of(view, masked.last).filter(|_| restored),
        }
    }

    /// How long, for people: `at least` where it is not known exactly.
    pub fn format_duration(&self, view: &View<'_>) -> String {
        let least = if self.complete { "" } else { "at least " };
        format!("{least}{}", view.duration(Ticks(self.ticks)))
    }
}

impl CodeLocationRow {
    fn of(view: &View<'_>, event: EventIndex) -> Option<Self> {
        let address = view.trace.code_address(&view.trace.events.get(event)?)?;
        let place = view.trace.code_locations.get(address);
        let name = |name: &Option<Name>| name.as_ref().map(Name::to_string);
        Some(Self {
            address: Hex(address),
            function: place.and_then(|place| name(&place.function)),
            file: place.and_then(|place| name(&place.file)),
            line: place.and_then(|place| place.line),
            text: view.trace.code_locations.display(address).to_string(),
        })
    }
}
