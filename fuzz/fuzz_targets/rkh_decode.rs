//! Streams of RKH, all that is made of them, and their configuration guessed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::rkh::guess::infer;
use rtoscope_decode::rkh::{Interpreter, Options, decode, is_stream};
use rtoscope_trace::Interpret;

fuzz_target!(|data: &[u8]| {
    is_stream(data);
    if let Some(guess) = infer(data) {
        assert!(guess.fitting <= guess.frames && guess.score() <= 1.0);
    }
    let options = Options {
        guess: true,
        split_glued: true,
        ..Options::default()
    };
    let Ok(recording) = decode(data, &options) else {
        return;
    };
    let (trace, stream) = (&recording.trace, &recording.stream);
    let mut interpreter = Interpreter::new(trace);
    for event in trace.events.iter() {
        interpreter.act(&event);
        interpreter.reaction(&event);
        let arguments = stream.arguments(trace, event.index);
        assert!(arguments.len() <= data.len());
        assert!(
            stream
                .offset(event.index)
                .is_some_and(|offset| offset < data.len() as u64)
        );
        assert!(stream.record(trace, event.index).is_some());
        stream.ticks(trace, event.index);
        let kind = trace.catalogue.get(event.kind).expect("a kind of record");
        trace
            .arguments(kind, &event)
            .for_each(|(_, value)| drop(value.to_string()));
        trace.context_name(event.context);
    }
    for diagnostic in &trace.diagnostics {
        assert!(!diagnostic.message.is_empty());
    }
});
