//! Traces in the Common Trace Format: archives with any metadata, and streams alone.

use rtoscope_decode::ctf::FORMAT;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_trace::{Interpret, SchedEvent};

pub(crate) fn run(data: &[u8]) {
    let input = UnpackedInput::open(Input::new(data), BufferChoice::First, Some(FORMAT));
    let Ok(input) = input else { return };
    let Ok(recording) = input.decode(&DecodeOptions::default()) else {
        return;
    };
    let trace = &recording.trace;
    assert!(trace.events.times().is_sorted());
    let mut interpreter = recording.format_info.interpreter(trace);
    for event in trace.events.iter() {
        match interpreter.sched_event(trace, &event) {
            SchedEvent::IsrEnter { number } | SchedEvent::IsrExit { number } => {
                assert!(interpreter.isr_functions().get(number as usize).is_some());
            }
            SchedEvent::Use { resource, .. } | SchedEvent::Acquire { resource, .. } => {
                assert!(interpreter.resources().get(resource.index()).is_some());
            }
            _ => {}
        }
        let kind = trace.catalogue.get(event.kind).expect("a kind of the metadata");
        trace
            .arguments(kind, &event)
            .for_each(|(_, value)| drop(value.to_string()));
        trace.context_name(event.context);
    }
    let facts = recording.format_info.facts(trace);
    assert!(!facts.description.is_empty());
}
