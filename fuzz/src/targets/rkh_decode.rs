//! RKH streams, their decoded traces, and their guessed configuration.

use rtoscope_decode::rkh::OwnRecords;
use rtoscope_decode::rkh::guess::infer;
use rtoscope_decode::rkh::{RkhInterpreter, RkhOptions, decode, is_stream};
use rtoscope_trace::Interpret;

pub(crate) fn run(data: &[u8]) {
    is_stream(data);
    if let Some(guess) = infer(data, OwnRecords::NONE) {
        assert!(guess.fitting_frames <= guess.frames && guess.score() <= 1.0);
    }
    let options = RkhOptions {
        guess: true,
        split_glued: true,
        ..RkhOptions::default()
    };
    let Ok(recording) = decode(data, &options) else {
        return;
    };
    let (trace, stream) = (&recording.trace, &recording.stream_info);
    assert!(stream.losses.unusable_bytes <= data.len() as u64);
    let mut interpreter = RkhInterpreter::new(trace);
    for event in trace.events.iter() {
        interpreter.sched_event(trace, &event);
        interpreter.active_object_event(trace, &event);
        let arguments = stream.arguments(trace, event.index);
        assert!(arguments.len() <= data.len());
        assert!(
            stream
                .offset(event.index)
                .is_some_and(|offset| offset < data.len() as u64)
        );
        assert!(stream.record(trace, event.index).is_some());
        stream.timestamp(trace, event.index);
        let kind = trace.catalogue.get(event.kind).expect("a kind of record");
        trace
            .arguments(kind, &event)
            .for_each(|(_, value)| drop(value.to_string()));
        trace.context_name(event.context);
    }
    for diagnostic in &trace.diagnostics {
        assert!(!diagnostic.message.is_empty());
    }
}
