//! Gaps between entries.

use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Gap};
use std::borrow::Cow;

/// A gap, or a possible gap, between two entries.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryGap {
    /// The number of the entry after it.
    pub(super) before: u64,
    pub(super) cause: GapCause,
    /// Number of missing entries; `None` if only a minimum is known.
    pub(super) missing_entries: Option<u64>,
    /// Minimum number of missing entries.
    pub(super) min_missing: u64,
    /// The time elapsed across the gap.
    pub(super) elapsed: ElapsedTime,
}

/// The time elapsed between two entries with a gap between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElapsedTime {
    /// The difference of the timestamps, plus whole periods of the clock.
    FromTimestamps {
        /// Number of additional periods.
        periods: u64,
        /// Whether this number is certain.
        is_certain: bool,
    },
    /// A number of ticks, according to the host's clock.
    Ticks(u64),
}

/// The cause of a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GapCause {
    /// The input lacks these slots of the ring.
    NotInInput,
    /// Entries may be missing between two buffers that continue one another.
    BetweenBuffers,
    /// The ring was overwritten before it was read again.
    Overwritten,
    /// Packets of the target were not received, and `overwritten` of the missing entries
    /// were overwritten before.
    NotReceived {
        /// Number of overwritten entries.
        overwritten: u64,
    },
    /// The target restarted tracing.
    Restarted,
    /// The entries are damaged.
    Damaged,
    /// The timestamps fall, so that the entries do not follow one another.
    Disorder,
}

impl EntryGap {
    /// A gap between the entries of a dump.
    pub(super) fn in_dump(before: u64, cause: GapCause, missing: u64) -> Self {
        let is_disorder = cause == GapCause::Disorder;
        let is_counted = !is_disorder && cause != GapCause::BetweenBuffers;
        Self {
            before,
            cause,
            missing_entries: is_counted.then_some(missing),
            min_missing: missing,
            elapsed: match is_disorder {
                true => ElapsedTime::Ticks(0),
                false => ElapsedTime::FromTimestamps {
                    periods: 0,
                    is_certain: true,
                },
            },
        }
    }

    /// The gap in a part that begins with entry `first`, and its diagnostic.
    pub(super) fn gap(&self, first: u64) -> Option<(Gap, Diagnostic)> {
        let before = u32::try_from(self.before.checked_sub(first)?).ok()?;
        let previous = before.checked_sub(1)?;
        let place = format!("between event {previous} and event {before}");
        let before = EventIndex(before);
        let diagnostic = match self.cause {
            GapCause::Restarted => {
                let message = format!(
                    "tracing was restarted {place}: events may be missing, and the elapsed time \
                     is {}",
                    match self.elapsed {
                        ElapsedTime::Ticks(0) => "unknown",
                        _ => "measured by the host's clock",
                    }
                );
                Diagnostic::new(DiagnosticKind::Restart, message)
            }
            _ => {
                let message = format!(
                    "{} {place}: {}{}",
                    self.missing_text(),
                    self.cause_text(),
                    self.uncertainty_text()
                );
                Diagnostic::new(DiagnosticKind::Gap, message).with_count(self.min_missing.max(1))
            }
        };
        let gap = Gap {
            next_event: before,
            missing: self.missing_entries,
            core: None,
            is_restart: self.cause == GapCause::Restarted,
        };
        Some((gap, diagnostic.at_event(before)))
    }

    fn missing_text(&self) -> String {
        let events = pluralise(self.min_missing, "event", "events");
        match (self.missing_entries, self.min_missing) {
            (Some(_), _) => format!("{events} missing"),
            (None, 0) => "events may be missing".to_owned(),
            (None, _) => format!("at least {events} missing"),
        }
    }

    fn cause_text(&self) -> Cow<'static, str> {
        match self.cause {
            GapCause::NotReceived { overwritten: 0 } => NOT_RECEIVED.into(),
            GapCause::NotReceived { overwritten } => {
                format!("{NOT_RECEIVED}, and {overwritten} of them were overwritten before").into()
            }
            GapCause::NotInInput | GapCause::BetweenBuffers => "not in the input".into(),
            GapCause::Damaged => "the entries are damaged".into(),
            GapCause::Disorder => "the timestamps fall, and the elapsed time is unknown".into(),
            _ => RING_OVERWRITTEN.into(),
        }
    }

    fn uncertainty_text(&self) -> &'static str {
        match self.elapsed {
            ElapsedTime::FromTimestamps {
                is_certain: false, ..
            } => "; the elapsed time is uncertain by whole periods of the clock",
            _ => "",
        }
    }
}

const NOT_RECEIVED: &str = "packets of the target were not received";
const RING_OVERWRITTEN: &str = "the whole ring was overwritten before it was read again";
