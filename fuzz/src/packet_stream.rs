//! Streams of packets: as a file, and in pieces as they arrive.

use rtoscope_decode::container::Container;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, Format, UnpackedInput};
use rtoscope_trace::{Interpret, SchedEvent};

/// Decodes the bytes as a file of a format, and live unless they are an image of memory.
pub(crate) fn run(data: &[u8], format: Format) {
    let input = UnpackedInput::open(Input::new(data), BufferChoice::First, Some(format));
    let Ok(input) = input else { return };
    let Some(recording) = decode(&input) else {
        return;
    };
    let trace = &recording.trace;
    if input.container() != Container::Raw || !input.compression().is_empty() {
        return;
    }
    let mut live = LiveDecoder::new(LiveOptions {
        options: DecodeOptions::default(),
        format: Some(format),
        max_events: u64::MAX,
    });
    let size = usize::from(*data.first().unwrap_or(&0)) + 1;
    for piece in data.chunks(size) {
        live.push(piece, HostTime(0));
        live.next_update().expect("events");
    }
    live.connection_lost();
    live.next_update().expect("events");
    let same = live
        .window(u64::MAX)
        .expect("events")
        .decode()
        .expect("events");
    assert_eq!(same.trace.events, trace.events);
    assert_eq!(same.trace.gaps, trace.gaps);
}

/// Decodes an input, and reads all that its trace has.
pub(crate) fn decode(input: &UnpackedInput<'_>) -> Option<DecodedRecording> {
    let recording = input.decode(&DecodeOptions::default()).ok()?;
    let trace = &recording.trace;
    assert!(trace.events.times().is_sorted());
    let mut interpreter = recording.format_info.interpreter(trace);
    for event in trace.events.iter() {
        if let SchedEvent::IsrEnter { number } | SchedEvent::IsrExit { number } =
            interpreter.sched_event(trace, &event)
        {
            assert!(interpreter.isr_functions().get(number as usize).is_some());
        }
        if let Some(kind) = trace.catalogue.get(event.kind) {
            trace
                .arguments(kind, &event)
                .for_each(|(_, value)| drop(value.to_string()));
        }
        trace.context_name(event.context);
    }
    let facts = recording.format_info.facts(trace);
    assert!(!facts.description.is_empty());
    Some(recording)
}
