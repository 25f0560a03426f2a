//! What is wrong with a recording, or limits what it can say.

use crate::EventIndex;
use std::fmt;

/// How bad a [`Diagnostic`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; everything shown is right.
    Info,
    /// Something is missing, or a guess was needed.
    Warning,
    /// Part of the input could not be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $severity:ident;)*) => {
        /// What a [`Diagnostic`] is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum DiagnosticKind {
            $($(#[doc = $doc])* $variant,)*
        }

        impl DiagnosticKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name in machine-readable output, e.g. `half-written-entry`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How bad it is.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

kinds! {
    /// A record of a hex file has a wrong checksum or cannot be read; its bytes are missing.
    BadRecord "bad-record" Error;
    /// Two records give different bytes for the same address; the later one counts.
    OverlappingRecords "overlapping-records" Warning;
    /// A container holds no bytes for part of the buffer.
    MissingBytes "missing-bytes" Error;
    /// The input ends before the buffer does.
    Truncated "truncated" Error;
    /// The input goes on behind the buffer.
    ExtraBytes "extra-bytes" Info;
    /// The input holds several buffers and only one was asked for.
    SeveralBuffers "several-buffers" Warning;
    /// A control header field is not what the kernel writes, but does no harm.
    OddHeader "odd-header" Warning;
    /// The pointer to the current entry is unusable, so the order of events is not known.
    CurrentPointer "current-pointer" Error;
    /// The target was halted while it wrote this entry; it does not count as an event.
    HalfWrittenEntry "half-written-entry" Warning;
    /// No slot of the ring was written.
    NoEvents "no-events" Warning;
    /// Slots that were never written stand between events.
    UnusedSlots "unused-slots" Warning;
    /// The ring has wrapped: older events were overwritten.
    Overwritten "overwritten" Info;
    /// Events are missing between two that follow each other here.
    Gap "gap" Error;
    /// The object registry is full: objects created later have no name.
    RegistryFull "registry-full" Warning;
    /// A context is no thread of the registry, so its name is not known.
    UnregisteredThread "unregistered-thread" Warning;
    /// Several registry entries speak of the same address.
    ReusedAddress "reused-address" Info;
    /// A name fills its field without a final NUL.
    UnterminatedName "unterminated-name" Warning;
    /// An event's number is in no catalogue.
    UnknownEvent "unknown-event" Info;
    /// The trace's core numbers may be part of odd user event numbers.
    DoubtfulCores "doubtful-cores" Warning;
    /// The records make a thread do what no kernel allows: its state is unknown.
    ImpossibleState "impossible-state" Warning;
    /// The clock stood still: times say nothing.
    StaticClock "static-clock" Warning;
    /// The clock counts events: times are event numbers.
    EventCounterClock "event-counter-clock" Warning;
    /// The clock's mask is not a block of ones.
    ClockMask "clock-mask" Warning;
    /// Stamps have bits outside the clock's mask, which were dropped.
    ClockJunk "clock-junk" Info;
    /// As many steps speak for a clock that counts down as for one that counts up.
    ClockDirection "clock-direction" Warning;
    /// The clock stepped back a little; time stands still until it has caught up.
    BackwardStep "backward-step" Warning;
    /// The clock seems to wrap earlier than its mask says.
    ClockPeriod "clock-period" Warning;
    /// A frame of a stream is damaged, or no record of the format; it is left out.
    BadFrame "bad-frame" Error;
    /// A stream begins or ends in the middle of a frame.
    CutFrame "cut-frame" Info;
    /// Frames have numbers of records that the format does not have.
    UnknownRecord "unknown-record" Error;
    /// The target started again.
    Restart "restart" Info;
    /// The target says that its records are of other sizes from here on.
    ConfigurationChanged "configuration-changed" Info;
    /// Most frames of a stream are no records of the configuration that it contains.
    ConfigurationUnfit "configuration-unfit" Error;
    /// The sizes of a stream's records were not told and had to be assumed or guessed.
    ConfigurationGuessed "configuration-guessed" Warning;
    /// The clock's frequency, as the target says it, may not be the whole truth.
    StampRate "stamp-rate" Info;
    /// Entries have types that the format does not have; they are left out.
    UnknownEntry "unknown-entry" Error;
    /// The target had no room for entries, which are lost.
    LostEntries "lost-entries" Warning;
    /// A buffer that is no ring is full, and nothing says how many entries it did not take.
    BufferFull "buffer-full" Warning;
    /// The processor falls asleep in the log where it sleeps already.
    DoubleSleep "double-sleep" Warning;
    /// The processor wakes in the log where it is awake already.
    WakeWhileAwake "wake-while-awake" Warning;
    /// The log has no interrupt handler: their time counts as that of what they interrupted.
    NoHandlers "no-handlers" Warning;
    /// A thread's name cannot be read where its pointer leads.
    UnresolvedName "unresolved-name" Warning;
    /// The firmware's file does not seem to be that of the recording.
    OtherFirmware "other-firmware" Warning;
    /// The times of two cores cannot be compared.
    ContradictingCores "contradicting-cores" Warning;
    /// A container's checksum is not that of its bytes.
    BadChecksum "bad-checksum" Error;
    /// A container has sections that this version does not know.
    UnknownSection "unknown-section" Info;
    /// The connection to the target broke while the trace was recorded.
    Interrupted "interrupted" Warning;
    /// Connections to the source of a recording were refused.
    RefusedConnections "refused-connections" Warning;
    /// What a recording's folder says of its bytes is damaged.
    DamagedRecording "damaged-recording" Warning;
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A number of things in words: `1 event`, `2 events`.
pub fn pluralise(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// One thing that is wrong, or limits what can be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is about.
    pub kind: DiagnosticKind,
    /// A sentence for people: what, where, the value, what was expected.
    pub message: String,
    /// Where in the input, in bytes from its start (after decompression).
    pub offset: Option<u64>,
    /// The first event concerned.
    pub event: Option<EventIndex>,
    /// How often it happened, or how many events, entries or bytes it concerns.
    pub count: u64,
}

impl Diagnostic {
    /// A diagnostic that concerns one thing, without a place.
    pub fn new(kind: DiagnosticKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            offset: None,
            event: None,
            count: 1,
        }
    }

    /// Places it at a byte of the input.
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Places it at an event.
    pub fn at_event(mut self, event: EventIndex) -> Self {
        self.event = Some(event);
        self
    }

    /// Says how many things it concerns.
    pub fn with_count(mut self, count: u64) -> Self {
        self.count = count;
        self
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

/// The diagnostics of a trace, in the order in which they were found.
///
/// A kind that is reported more than [`Diagnostics::MAX_PER_KIND`] times is
/// summed up in its last entry, so that damage cannot fill the memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// How many entries of one kind are kept apart.
    pub const MAX_PER_KIND: usize = 16;

    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same_kind = |kept: &&mut Diagnostic| kept.kind == diagnostic.kind;
        if self.count_of(diagnostic.kind) < Self::MAX_PER_KIND {
            self.0.push(diagnostic);
        } else if let Some(last) = self.0.iter_mut().rev().find(same_kind) {
            last.count = last.count.saturating_add(diagnostic.count);
            const MORE_NOTE: &str = " (and more like it, counted here)";
            if !last.message.ends_with(MORE_NOTE) {
                last.message.push_str(MORE_NOTE);
            }
        }
    }

    /// The entries, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn count_of(&self, kind: DiagnosticKind) -> usize {
        self.0.iter().filter(|kept| kept.kind == kind).count()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        diagnostics.into_iter().for_each(|each| self.push(each));
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_summed_up_and_nothing_is_lost() {
        let mut diagnostics = Diagnostics::default();
        for line in 0..1000 {
            let message = format!("line {line}");
            diagnostics.push(Diagnostic::new(DiagnosticKind::BadRecord, message));
        }
        diagnostics.push(Diagnostic::new(DiagnosticKind::Truncated, "cut"));
        assert_eq!(diagnostics.iter().count(), Diagnostics::MAX_PER_KIND + 1);
        let total: u64 = diagnostics.iter().map(|each| each.count).sum();
        assert_eq!(total, 1001);
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = DiagnosticKind::ALL.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), DiagnosticKind::ALL.len());
    }
}
