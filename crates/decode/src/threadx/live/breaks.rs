//! Places where what follows need not follow.

use super::course::Across;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Gap};

/// A place between two entries that do not, or perhaps do not, follow each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Break {
    /// The number of the entry behind it.
    pub(super) before: u64,
    pub(super) cause: Cause,
    /// How many entries are missing; `None` if only a minimum is known.
    pub(super) missing: Option<u64>,
    /// How many are missing at least.
    pub(super) least: u64,
    /// How much time goes by.
    pub(super) across: Across,
}

/// Why entries are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The ring was overwritten before it was read again.
    Overwritten,
    /// The target started tracing again.
    Restarted,
}

impl Break {
    /// The gap in a part that begins with entry `first`, and what is to be said
    /// of it.
    pub(super) fn gap(&self, first: u64) -> Option<(Gap, Diagnostic)> {
        let before = u32::try_from(self.before.checked_sub(first)?).ok()?;
        let previous = before.checked_sub(1)?;
        let place = format!("between event {previous} and event {before}");
        let before = EventIndex(before);
        let diagnostic = match self.cause {
            Cause::Restarted => {
                let message = format!(
                    "tracing was started again {place}: events may be missing, and how much time \
                     went by is {}",
                    match self.across {
                        Across::Ticks(0) => "not known",
                        _ => "known from the host's clock",
                    }
                );
                Diagnostic::new(DiagnosticKind::Restart, message)
            }
            Cause::Overwritten => {
                let message = format!("{} {place}: {WHY}{}", self.amount(), self.doubt());
                Diagnostic::new(DiagnosticKind::Gap, message).times(self.least.max(1))
            }
        };
        let gap = Gap {
            before,
            missing: self.missing,
            core: None,
        };
        Some((gap, diagnostic.on(before)))
    }

    fn amount(&self) -> String {
        let events = counted(self.least, "event", "events");
        match (self.missing, self.least) {
            (Some(_), _) => format!("{events} missing"),
            (None, 0) => "events may be missing".to_owned(),
            (None, _) => format!("at least {events} missing"),
        }
    }

    fn doubt(&self) -> &'static str {
        match self.across {
            Across::Stamps {
                is_certain: false, ..
            } => "; more or less time may have gone by, by whole periods of the clock",
            _ => "",
        }
    }
}

const WHY: &str = "the whole ring was new when it came again";
