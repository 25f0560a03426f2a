//! Diagnostics: what is wrong with a recording, or limits its evidence.

use crate::EventIndex;
use std::fmt;

/// The severity of a [`Diagnostic`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; all figures are right.
    Info,
    /// Something is missing, or was guessed.
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
        /// The kind of a [`Diagnostic`].
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

            /// Its severity.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

kinds! {
    /// A record of a hex file has a wrong checksum or cannot be parsed; its
    /// bytes are missing.
    BadRecord "bad-record" Error;
    /// Two records give different bytes for the same address; the later one counts.
    OverlappingRecords "overlapping-records" Warning;
    /// A container has no bytes for part of the buffer.
    MissingBytes "missing-bytes" Error;
    /// The input ends before the buffer does.
    Truncated "truncated" Error;
    /// The input continues after the buffer.
    ExtraBytes "extra-bytes" Info;
    /// Text around a dump or between the records of a stream, such as prompts and
    /// declarations.
    OtherText "other-text" Info;
    /// A text dump has no record that marks its end.
    NoEndRecord "no-end-record" Info;
    /// The bytes of each word were saved in another order; it was restored.
    SwappedWords "swapped-words" Info;
    /// Each 0x0A of a stream became 0x0D 0x0A, as its checksums, or all its 0x0A, prove; it was
    /// undone.
    ExpandedLineFeeds "expanded-line-feeds" Info;
    /// A link took the bytes 0x11 and 0x13 of a stream for its flow control, as the
    /// checksums prove; the frames with them are lost.
    FlowControl "flow-control" Error;
    /// The input contains several buffers and only one was requested.
    SeveralBuffers "several-buffers" Warning;
    /// Several buffers continue one another, and are shown as one trace.
    JoinedBuffers "joined-buffers" Info;
    /// Entries after the buffer continue it.
    AppendedEntries "appended-entries" Info;
    /// The input contains a copy of a buffer's header.
    HeaderCopy "header-copy" Info;
    /// The memory after a header cannot be a buffer.
    DoubtfulBuffer "doubtful-buffer" Warning;
    /// A field of the control header is unusual, but harmless.
    OddHeader "odd-header" Warning;
    /// The pointer to the current entry is invalid, or contradicts the
    /// timestamps; the order of events follows from the entries alone.
    CurrentPointer "current-pointer" Error;
    /// Entries contain what the target did not write; they do not count as
    /// events.
    DamagedEntries "damaged-entries" Error;
    /// A fault ended the recording; its memory survived the reset.
    Fault "fault" Warning;
    /// The recording survived a reset that no fault handler preceded.
    UnfrozenReset "unfrozen-reset" Warning;
    /// The target was halted while it wrote this entry; it does not count as an event.
    HalfWrittenEntry "half-written-entry" Warning;
    /// No slot of the ring was written.
    NoEvents "no-events" Warning;
    /// There are unused slots between events.
    UnusedSlots "unused-slots" Warning;
    /// The ring has wrapped: older events were overwritten.
    Overwritten "overwritten" Info;
    /// Nothing shows whether older events were overwritten.
    PerhapsOverwritten "perhaps-overwritten" Info;
    /// Events are missing between two consecutive ones.
    Gap "gap" Error;
    /// Slots of the object registry have types that no component registers.
    DamagedRegistry "damaged-registry" Error;
    /// The object registry is full: objects created later have no names.
    RegistryFull "registry-full" Warning;
    /// A context is not a registered thread, so its name is not known.
    UnregisteredThread "unregistered-thread" Warning;
    /// Several registry entries have the same address.
    ReusedAddress "reused-address" Info;
    /// Priorities lack the flag that marks them as valid.
    PriorityFlag "priority-flag" Warning;
    /// A name fills its field without a final NUL.
    UnterminatedName "unterminated-name" Warning;
    /// Names are not UTF-8.
    NameEncoding "name-encoding" Info;
    /// Formatted events whose text is not in the firmware's ELF file.
    UnknownFormat "unknown-format" Warning;
    /// An event's number is not in the catalogue.
    UnknownEvent "unknown-event" Info;
    /// The trace's core numbers may be part of unusual user event numbers.
    DoubtfulCores "doubtful-cores" Warning;
    /// The records imply a thread state that no kernel allows: the state is
    /// unknown.
    ImpossibleState "impossible-state" Warning;
    /// The clock stood still: there are no times.
    StaticClock "static-clock" Warning;
    /// The clock counts events: times are event numbers.
    EventCounterClock "event-counter-clock" Warning;
    /// The clock's mask is not a contiguous block of ones.
    ClockMask "clock-mask" Warning;
    /// Timestamps have bits outside the clock's mask, which were dropped.
    ClockJunk "clock-junk" Info;
    /// As many steps indicate a clock that counts down as one that counts up.
    ClockDirection "clock-direction" Warning;
    /// The clock stepped back a little; time stands still until it catches up.
    BackwardStep "backward-step" Warning;
    /// The clock stepped back by more than 1 % of the span or the mean step, so that times after
    /// the step are not known.
    ClockJump "clock-jump" Error;
    /// The clock seems to wrap earlier than its mask indicates.
    ClockPeriod "clock-period" Warning;
    /// Most events have the timestamp of the event before.
    CoarseClock "coarse-clock" Warning;
    /// Cores have counters of their own, which show different values at the same time.
    CoreClocks "core-clocks" Warning;
    /// The times of sleeps contradict the kernel's ticks: the clock stands at times,
    /// wraps unseen or changes its speed.
    ClockContradictsTicks "clock-contradicts-ticks" Warning;
    /// A frame of a stream is damaged, or not a record of the format; it is
    /// skipped.
    BadFrame "bad-frame" Error;
    /// A stream begins or ends in the middle of a frame.
    CutFrame "cut-frame" Info;
    /// A stream ends with a frame without a closing flag; its record is probably
    /// complete, and used.
    UnclosedFrame "unclosed-frame" Info;
    /// Frames have record numbers that the format does not define.
    UnknownRecord "unknown-record" Error;
    /// The target restarted.
    Restart "restart" Info;
    /// The target's record sizes change from here on.
    ConfigurationChanged "configuration-changed" Info;
    /// Most frames of a stream do not match the configuration that it contains.
    ConfigurationUnfit "configuration-unfit" Error;
    /// The configuration that the user set differs from the one in the stream.
    ConfigurationMismatch "configuration-mismatch" Warning;
    /// The sizes of a stream's records were not given, so that a default or a
    /// guess was used.
    ConfigurationGuessed "configuration-guessed" Warning;
    /// The recorded frequency of the clock may be inaccurate.
    StampRate "stamp-rate" Info;
    /// The frequency that the user set differs from the one in the recording.
    ClockMismatch "clock-mismatch" Warning;
    /// Entries have types that the format does not define; they are skipped.
    UnknownEntry "unknown-entry" Error;
    /// The target's filter suppressed entries.
    SuppressedEntries "suppressed-entries" Warning;
    /// The target's buffer was full, and entries were lost.
    LostEntries "lost-entries" Warning;
    /// A one-shot buffer is full, and the number of entries that it did not
    /// take is not recorded.
    BufferFull "buffer-full" Warning;
    /// In the log, a processor falls asleep that already sleeps.
    DoubleSleep "double-sleep" Warning;
    /// In the log, a processor wakes up that is already awake.
    WakeWhileAwake "wake-while-awake" Warning;
    /// The log has no interrupt handlers: their time counts for the interrupted
    /// contexts.
    NoHandlers "no-handlers" Warning;
    /// Declared hardware is kicked while it is busy.
    KickWhileBusy "kick-while-busy" Warning;
    /// Spans of markers have no recorded begin or end.
    UnmatchedMarker "unmatched-marker" Info;
    /// Lines of a text log are damaged, or not complete.
    TextLogLine "text-log-line" Warning;
    /// The times of lines of a text log are not known, or not in order.
    TextLogTime "text-log-time" Warning;
    /// Entries of recorded call stacks are missing.
    IncompleteStack "incomplete-stack" Info;
    /// A thread's or marker's name cannot be read at its pointer.
    UnresolvedName "unresolved-name" Warning;
    /// The firmware's file does not seem to match the recording.
    OtherFirmware "other-firmware" Warning;
    /// Declared timing does not apply to the recording.
    IgnoredTiming "ignored-timing" Warning;
    /// Times are on the axis of several recordings, not by the recording's own clock.
    CommonAxis "common-axis" Info;
    /// The times of two cores cannot be compared.
    ContradictingCores "contradicting-cores" Warning;
    /// A container's checksum, or that of a part of a recording, does not match its bytes.
    BadChecksum "bad-checksum" Error;
    /// A container has sections that this version does not support.
    UnknownSection "unknown-section" Info;
    /// The connection to the target broke during the capture.
    Interrupted "interrupted" Warning;
    /// Connections to the source of a recording were refused.
    RefusedConnections "refused-connections" Warning;
    /// The system dropped datagrams that the capture did not read in time.
    DroppedDatagrams "dropped-datagrams" Error;
    /// The capture ended before it had read all bytes that the target had sent.
    UnreadBytes "unread-bytes" Warning;
    /// Nothing marks the end of a recording.
    UnfinishedRecording "unfinished-recording" Warning;
    /// The manifest of a recording's folder is damaged.
    DamagedRecording "damaged-recording" Warning;
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A count with its noun: `1 event`, `2 events`.
pub fn pluralise(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A problem or limit of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub kind: DiagnosticKind,
    /// A sentence that describes it: what, where, the value, what was expected.
    pub message: String,
    /// Offset in the input, in bytes from its start (after decompression).
    pub offset: Option<u64>,
    /// The first affected event.
    pub event: Option<EventIndex>,
    /// Number of occurrences, or of affected events, entries or bytes.
    pub count: u64,
}

impl Diagnostic {
    /// Creates a diagnostic that affects one thing, without a position.
    pub fn new(kind: DiagnosticKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            offset: None,
            event: None,
            count: 1,
        }
    }

    /// Sets the offset in the input.
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Sets the affected event.
    pub fn at_event(mut self, event: EventIndex) -> Self {
        self.event = Some(event);
        self
    }

    /// Sets the number of affected things.
    pub fn with_count(mut self, count: u64) -> Self {
        self.count = count;
        self
    }

    /// Its severity.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

/// The diagnostics of a trace, in the order in which they were found.
///
/// After [`Diagnostics::MAX_PER_KIND`] diagnostics of one kind, the last one
/// sums up all further ones, so that damage cannot exhaust the memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Maximum number of separate entries of one kind.
    pub const MAX_PER_KIND: usize = 16;

    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same_kind = |kept: &&mut Diagnostic| kept.kind == diagnostic.kind;
        if self.count_of(diagnostic.kind) < Self::MAX_PER_KIND {
            self.0.push(diagnostic);
        } else if let Some(last) = self.0.iter_mut().rev().find(same_kind) {
            last.count = last.count.saturating_add(diagnostic.count);
            const MORE_NOTE: &str = " (and similar ones, counted here)";
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
    fn many_diagnostics_are_summed_up() {
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
