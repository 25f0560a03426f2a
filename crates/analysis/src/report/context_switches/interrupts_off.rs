//! Interrupts-off sections.

use super::TimeShare;
use crate::report::table::FrontEnd::{Html, Text, Viewer};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use crate::report::{Distribution, Hex, Samples, View};
use crate::schedule::{InterruptsOffEnding, InterruptsOffSection};
use rtoscope_trace::{EventIndex, Name, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// Maximum number of sections in the list.
const MAX_LISTED: usize = 10;

/// Interrupts-off sections, from the event that disables interrupts to the one
/// that enables them. Nested disabling does not count as a section.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InterruptsOffReport {
    /// Number of sections, with recorded or unknown start.
    pub count: u64,
    /// Entries within them that leave interrupts disabled: two for each inner
    /// pair of disabling and restoring.
    pub nested: u64,
    /// Total time, as far as known.
    #[serde(flatten)]
    pub share: TimeShare,
    /// Durations of the sections with both ends recorded.
    pub duration: Option<Distribution>,
    /// The longest sections that overlap the scope, the longest first; among
    /// equals the earlier first.
    pub longest: Vec<InterruptsOffRow>,
    /// Sections with an unknown duration.
    pub unknown: UnknownDurations,
}

/// Why the duration of a section is unknown. Each section counts once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnknownDurations {
    /// Interrupts were already off at the start of the recording, or after a
    /// gap or a switch.
    pub start_unknown: u64,
    /// The core switched to another thread or idle before interrupts were
    /// enabled.
    pub switched: u64,
    /// They were enabled without a record.
    pub unrecorded: u64,
    /// Events are missing.
    pub lost: u64,
    /// Interrupts were off at the end of the recording.
    pub open: u64,
}

impl fmt::Display for UnknownDurations {
    /// The reasons that occur, each with its count.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.start_unknown, "started before the recording"),
            (self.switched, "lasted at least until a switch"),
            (self.unrecorded, "ended without a record"),
            (self.lost, "lasted at least until a gap"),
            (self.open, "lasted until the end of the recording"),
        ];
        let mut separator = "";
        for (count, reason) in reasons.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{separator}{count} {reason}")?;
            separator = "; ";
        }
        Ok(())
    }
}

/// An interrupts-off section.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InterruptsOffRow {
    /// The thread that disabled interrupts, or `(idle)` or `(interrupt)`.
    pub context: String,
    /// The handler that disabled them, if any.
    pub handler: Option<String>,
    /// The core.
    pub core: u8,
    /// Its start, in ticks.
    pub start: u64,
    /// Its minimum duration in ticks, in the scope or not.
    pub duration: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ns: Option<u64>,
    /// Whether both ends are recorded, so that the duration is exact.
    pub complete: bool,
    /// Its start: `disabled`, or `found` if it was not recorded.
    pub beginning: &'static str,
    /// Its end: `restored`, or why it is unknown: `switched`, `unrecorded`,
    /// `lost` or `open`.
    pub ending: &'static str,
    /// Entries within it that leave interrupts disabled: two for each inner
    /// pair.
    pub nested: u32,
    /// The event that disabled interrupts.
    pub first_event: u32,
    /// The event that enabled them, or the last known event of the section.
    pub last_event: u32,
    /// Code location that disabled interrupts.
    pub disabled_at: Option<CodeLocationRow>,
    /// Code location that enabled interrupts; `None` if it is not recorded.
    pub enabled_at: Option<CodeLocationRow>,
}

impl TableRow for InterruptsOffRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "context_switches.interrupts_off.longest",
        title: "Longest interrupts-off sections",
        note: "",
        empty: "Interrupts were never off",
        rank: "duration",
        columns: &[
            column!(Interval, start, "Start", |row| {
                Cell::interval(row.start, row.duration, row.first_event)
            })
            .only(&[Html, Viewer]),
            column!(Duration, duration, "Duration"),
            column!(Flag, complete, "Exact")
                .hint("If not, the duration is a minimum")
                .only(&[Text, Viewer]),
            column!(Count, nested, "Nested")
                .hint("Disabled again meanwhile")
                .only(&[Text, Viewer]),
            column!(Event, first_event, "First event"),
            column!(Event, last_event, "Last event").only(&[Text, Viewer]),
            column!(Text, context, "Context"),
            column!(Text, handler, "Handler"),
            column!(Text, disabled_at?.text, "Disabled at"),
            column!(Text, enabled_at?.text, "Enabled at").only(&[Text, Viewer]),
            column!(Text, ending, "Ending"),
        ],
    };
}

/// A code location.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CodeLocationRow {
    /// Its address.
    pub address: Hex,
    /// The function, if known.
    pub function: Option<String>,
    /// The source file, if known.
    pub file: Option<String>,
    /// The line in the file.
    pub line: Option<u32>,
    /// The whole location as text.
    pub text: String,
}

/// The interrupts-off sections on the cores and of the threads in the scope;
/// `None` if the whole recording has no event that disables interrupts.
pub(super) fn interrupts_off(view: &View<'_>) -> Option<InterruptsOffReport> {
    if view.schedule.interrupts_off.is_empty() {
        return None;
    }
    let [mut count, mut nested, mut ticks] = [0; 3];
    let mut duration = Samples::default();
    let mut unknown = UnknownDurations::default();
    let mut longest: Vec<InterruptsOffSection> = Vec::new();
    for section in sections_in_scope(view) {
        ticks += view.clip(section.start, section.end).0;
        if view.contains(section.start) {
            count += 1;
            nested += u64::from(section.nested);
            unknown.count(&section);
        }
        if section.is_complete() && view.contains(section.end) {
            duration.add_interval([section.start, section.end], section.last, None);
        }
        if overlaps_scope(view, &section) {
            longest.push(section);
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
            .iter()
            .map(|it| InterruptsOffRow::of(view, it))
            .collect(),
        unknown,
    })
}

/// The sections of the scope's cores and threads, at any time.
pub(in crate::report) fn sections_in_scope<'a>(
    view: &View<'a>,
) -> impl Iterator<Item = InterruptsOffSection> + use<'a> {
    let view = *view;
    let all = view.schedule.interrupts_off.iter();
    all.filter(move |section| {
        let context = section.context;
        view.includes_core(section.core) && (!context.is_thread() || view.includes_thread(context))
    })
}

/// Whether a section overlaps the scope.
pub(in crate::report) fn overlaps_scope(view: &View<'_>, section: &InterruptsOffSection) -> bool {
    let window = view.window();
    section.start.0 <= window.end && window.start <= section.end.0
}

fn keep_longest(all: &mut Vec<InterruptsOffSection>) {
    all.sort_by_key(|section| (std::cmp::Reverse(section.duration()), section.first));
    all.truncate(MAX_LISTED);
}

impl UnknownDurations {
    fn count(&mut self, section: &InterruptsOffSection) {
        let count = match section.ending {
            _ if !section.start_known => &mut self.start_unknown,
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
    pub(in crate::report) fn of(view: &View<'_>, section: &InterruptsOffSection) -> Self {
        let activations = &view.schedule.activations;
        let isr_function = section
            .activation
            .and_then(|id| activations.get(id.index()));
        let ticks = section.duration();
        let restored = section.ending == InterruptsOffEnding::Restored;
        Self {
            context: view.trace.context_name(section.context),
            handler: isr_function.map(|it| view.schedule.isr_name(it.number)),
            core: section.core,
            start: section.start.0,
            duration: ticks.0,
            duration_ns: view.nanoseconds(ticks),
            complete: section.is_complete(),
            beginning: if section.start_known {
                "disabled"
            } else {
                "found"
            },
            ending: match section.ending {
                InterruptsOffEnding::Restored => "restored",
                InterruptsOffEnding::Switched => "switched",
                InterruptsOffEnding::Unrecorded => "unrecorded",
                InterruptsOffEnding::Lost => "lost",
                InterruptsOffEnding::Open => "open",
            },
            nested: section.nested,
            first_event: section.first.0,
            last_event: section.last.0,
            disabled_at: CodeLocationRow::of(view, section.first),
            enabled_at: CodeLocationRow::of(view, section.last).filter(|_| restored),
        }
    }

    /// The duration as text: `at least` if it is not exact.
    pub fn format_duration(&self, view: &View<'_>) -> String {
        let least = if self.complete { "" } else { "at least " };
        format!("{least}{}", view.duration(Ticks(self.duration)))
    }
}

impl CodeLocationRow {
    fn of(view: &View<'_>, event: EventIndex) -> Option<Self> {
        let address = view.trace.code_address(&view.trace.events.get(event)?)?;
        let location = view.trace.code_locations.get(address);
        let name = |name: &Option<Name>| name.as_ref().map(Name::to_string);
        Some(Self {
            address: Hex(address),
            function: location.and_then(|location| name(&location.function)),
            file: location.and_then(|location| name(&location.file)),
            line: location.and_then(|location| location.line),
            text: view.trace.code_locations.display(address).to_string(),
        })
    }
}
