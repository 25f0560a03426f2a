//! Builds the trace of consecutive events.

use super::capture_info::CaptureInfo;
use super::capture_reader::CaptureReader;
use super::catalogue;
use crate::packet_stream::{EventPage, GapCause, StreamStatus, stream_diagnostics};
use crate::{DecodedRecording, FormatInfo};
use rtoscope_trace::clock::{Clock, ClockDirection, ClockQuality};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::events::WordColumn;
use rtoscope_trace::{
    Address, CodeLocations, Contexts, Diagnostic, DiagnosticKind, Diagnostics, Events, Object,
    ObjectClass, Objects, SwitchModel, Trace, text_encoding,
};

/// What one and several parts of a capture are called.
const CHANGE: [&str; 2] = ["change", "changes"];

/// Builds the trace of a page.
pub(super) fn build(
    mut page: EventPage,
    reader: &CaptureReader,
    status: &StreamStatus,
) -> DecodedRecording {
    let table = &*reader.table;
    let encoding = reader.options.text_encoding;
    let signals = (1..).zip(&table.all).map(|(address, signal)| {
        Object::named(
            ObjectClass::Marker,
            Address(address),
            encoding.name(&signal.name),
        )
    });
    let objects = Objects::new(signals.collect());
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(reader.damage.diagnostics());
    diagnostics.extend(gap_diagnostics(&page));
    diagnostics.extend(stream_diagnostics(status, CHANGE));
    diagnostics.extend(skipped_signals(table.skipped));
    let names = objects.iter().map(|object| &object.name);
    diagnostics.extend(text_encoding::unreadable_names(names));
    let (clock_options, mismatch) = reader.options.clock.with_recorded(table.frequency);
    diagnostics.extend(mismatch);
    let gaps = page.inner_gaps().map(|(_, gap)| gap).collect();
    let offsets = std::mem::take(&mut page.offset);
    let stamps = page.time.clone();
    let is_wide = !page.upper_halves.is_empty();
    let mut columns = page.into_columns(is_wide);
    columns.timestamp = WordColumn::Wide(stamps);
    let mut clock = Clock::new(u64::MAX, ClockDirection::Up);
    clock = clock.with_frequency(clock_options.frequency);
    clock.quality = match columns.time.as_slice() {
        [] | [_] => ClockQuality::Unknown,
        [.., 0] => ClockQuality::Static,
        _ => ClockQuality::Good,
    };
    let nowhere = Address(0);
    let trace = Trace {
        origin: Default::default(),
        events: Events::new(columns),
        contexts: Contexts::new(nowhere, nowhere, nowhere),
        objects,
        clock,
        cores: vec![0],
        gaps,
        catalogue: catalogue::standard().clone(),
        switch_model: SwitchModel::Explicit {
            records_returns: false,
            records_states: false,
            ends_handlers: false,
        },
        code_locations: CodeLocations::default(),
        call_stacks: Default::default(),
        diagnostics,
    };
    DecodedRecording {
        trace,
        format_info: FormatInfo::new(CaptureInfo::new(reader, offsets)),
    }
}

/// The gaps that no rejected line explains.
fn gap_diagnostics(page: &EventPage) -> impl Iterator<Item = Diagnostic> {
    page.inner_gaps().filter_map(|(gap, inner)| {
        let event = inner.next_event;
        let (kind, message) = match gap.cause {
            GapCause::Damage { .. } => return None,
            GapCause::Pause => (
                DiagnosticKind::SuppressedEntries,
                format!("the capture was paused before event {event}"),
            ),
            _ => (
                DiagnosticKind::Gap,
                format!("changes may be missing before event {event}: the connection was lost"),
            ),
        };
        Some(Diagnostic::new(kind, message).at_event(event))
    })
}

fn skipped_signals(count: u64) -> Option<Diagnostic> {
    let message = format!(
        "{} not decoded: analogue ones, texts, or more than 65536 signals",
        pluralise(count, "signal is", "signals are")
    );
    let diagnostic = Diagnostic::new(DiagnosticKind::OtherText, message);
    (count > 0).then(|| diagnostic.with_count(count))
}
