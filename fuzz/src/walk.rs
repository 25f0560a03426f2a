//! Decodes an input and reads all of the result.

use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::{DecodedBuffer, ThreadXOptions, TraceBuffer};
use rtoscope_decode::{BufferChoice, BufferImage, open};
use rtoscope_trace::Trace;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::{MARKERS, UlongSize};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Maximum number of events whose arguments are formatted.
const MAX_FORMATTED: usize = 2000;
/// Maximum number of buffers of an input that are decoded.
const MAX_BUFFERS: usize = 4;
/// Maximum number of extracted bytes of a buffer. A header can request exabytes of zeros
/// between two segments.
const MAX_EXTRACTED_BYTES: usize = 4 << 20;

/// Opens an input, decodes the first of its buffers, walks over them and extracts them in
/// both byte orders.
pub(crate) fn decode_everything(bytes: &[u8], options: &ThreadXOptions) {
    let opened = match open(Input::new(bytes), BufferChoice::First) {
        Ok(opened) => opened,
        Err(error) => {
            let _ = error.to_string();
            return;
        }
    };
    walk_opened(&opened, options);
    for number in 1..opened.buffers.len().min(MAX_BUFFERS) {
        let other = open(Input::new(bytes), BufferChoice::Number(number));
        walk_opened(&other.expect("the buffer was found before"), options);
    }
}

/// Decodes a buffer without a container, and again as written in both byte orders:
/// all three results must be equal.
pub(crate) fn same_in_both_orders(bytes: &[u8], options: &ThreadXOptions) {
    let Ok(opened) = open(Input::new(bytes), BufferChoice::First) else {
        return;
    };
    let Ok(first) = opened.decode(options) else {
        return;
    };
    if opened
        .timeline
        .iter()
        .any(|part| is_ambiguous(&part.buffer))
    {
        return;
    }
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let mut copy = Vec::new();
        opened
            .write(Some(order), &mut copy)
            .expect("writing to a vector cannot fail");
        let reopened = open(Input::new(copy), BufferChoice::First).expect("the copy opens");
        let decoded = reopened.decode(options).expect("the copy decodes");
        assert_eq!(decoded.buffer.layout.order, order);
        let (Trace { events, .. }, Trace { objects, .. }) = (&decoded.trace, &decoded.trace);
        assert!(*events == first.trace.events, "other events in {order:?}");
        assert!(
            *objects == first.trace.objects,
            "other objects in {order:?}"
        );
    }
}

/// Whether the header, in little-endian order, could also be one with words of 8 bytes:
/// the upper half of its id would be the timer mask.
fn is_ambiguous(buffer: &TraceBuffer) -> bool {
    let header = &buffer.header;
    let is_small = buffer.layout.ulong == UlongSize::Four;
    is_small && header.timer_mask == 0 && header.markers != MARKERS
}

fn walk_opened(opened: &BufferImage<'_>, options: &ThreadXOptions) {
    if let Ok(recording) = opened.decode(options) {
        walk(&recording);
    }
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let _ = opened.write(Some(order), &mut LimitedWriter(MAX_EXTRACTED_BYTES));
    }
}

fn walk(recording: &DecodedBuffer) {
    let trace = &recording.trace;
    assert_eq!(trace.events.iter().count(), trace.events.len());
    assert!(trace.events.times().is_sorted(), "times decrease");
    let mut text = String::new();
    for event in trace.events.iter().take(MAX_FORMATTED) {
        text.clear();
        assert_eq!(trace.events.get(event.index), Some(event));
        let _ = write!(text, "{}", trace.arguments_line(&event));
        let _ = (event.priority(), event.threshold(), event.interrupted());
        let _ = (
            trace.catalogue.name(event.kind),
            trace.timescale().time(event.time),
        );
    }
    for event in trace.events.iter() {
        assert!(trace.contexts.get(event.context).is_some(), "{event:?}");
    }
    for context in &trace.contexts {
        let _ = trace.context_name(context.id);
    }
    for object in trace.objects.iter() {
        let _ = (object.display_name(), object.named_parameters().count());
        assert!(trace.objects.find(object.address, None).is_some());
    }
    for diagnostic in trace.diagnostics.iter() {
        assert!(
            !diagnostic.message.is_empty() && diagnostic.count > 0,
            "{diagnostic:?}"
        );
    }
    for gap in &trace.gaps {
        assert!(gap.next_event.index() < trace.events.len());
    }
}

/// Accepts a number of bytes, then fails.
struct LimitedWriter(usize);

impl Write for LimitedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let accepted = bytes.len().min(self.0);
        self.0 -= accepted;
        Ok(accepted)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
