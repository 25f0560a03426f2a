//! Context-switch logs as containers and as memory, read with options from the first
//! bytes, and written again.

use rtoscope_decode::cswitch::{
    self, BufferLocation, CswitchInterpreter, CswitchOptions, LogImage,
};
use rtoscope_decode::source::Input;
use rtoscope_symbols::Firmware;
use rtoscope_decode::{BufferChoice, UnpackedInput};
use rtoscope_trace::{Event, Interpret, SchedEvent, Trace};
use rtoscope_wire::ByteOrder;
use rtoscope_wire::cswitch::PointerSize;
use std::sync::Arc;

/// Number of bytes that select the options.
const CHOICE: usize = 8;

/// Variables anywhere in an image of 256 bytes.
const NM: &str = "\
00000000 B profile_switch_log_start
00000004 B profile_switch_log_current
00000008 B profile_switch_log_end
0000000c B profile_switch_log_cyclic
00000010 B rtoscope_cswitch_log_1
00000040 T scheduler
";

pub(crate) fn run(data: &[u8]) {
    let Some((choice, bytes)) = data.split_at_checked(CHOICE) else {
        return;
    };
    let options = options(choice);
    if choice[0] & 1 == 0 {
        let detected = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None);
        if detected.is_err() || detected.is_ok_and(|input| input.format() != cswitch::FORMAT) {
            return;
        }
    }
    let Ok(dump) = LogImage::open(Input::new(bytes)) else {
        return;
    };
    let Ok(log) = dump.log(&options) else {
        return;
    };
    let recording = cswitch::decode(&log, &options);
    let entries: u64 = recording
        .log_info
        .cores
        .iter()
        .map(|core| core.entries)
        .sum();
    assert_eq!(recording.trace.events.len() as u64, entries);
    assert!(entries * log.layout.entry_bytes() as u64 <= bytes.len() as u64);
    walk(&recording.trace);
    let mut written = Vec::new();
    cswitch::write(&log, &recording, &mut written).expect("memory takes everything");
    let dump = LogImage::open(Input::new(written)).expect("a container");
    let plain = CswitchOptions {
        clock: options.clock,
        ..CswitchOptions::default()
    };
    let again = dump.decode(&plain).expect("a log");
    let facts = |trace: &Trace| {
        let facts = |event: Event| (event.kind, event.timestamp, event.time);
        trace.events.iter().map(facts).collect::<Vec<_>>()
    };
    assert_eq!(facts(&again.trace), facts(&recording.trace));
    assert_eq!(again.trace.objects, recording.trace.objects);
}

fn options(choice: &[u8]) -> CswitchOptions {
    let bit = |number: usize| choice[number / 8] >> (number % 8) & 1 != 0;
    let address = |at: usize, given: bool| given.then_some(u64::from(choice[at]) * 4);
    let firmware = Firmware::read(NM.as_bytes().to_vec());
    CswitchOptions {
        location: BufferLocation {
            base: address(3, bit(1)),
            start: address(4, bit(2)),
            current: address(5, bit(3)),
            end: address(6, bit(4)),
            cyclic: bit(5).then_some(bit(6)),
        },
        pointer_size: bit(8).then_some(if bit(9) {
            PointerSize::Four
        } else {
            PointerSize::Eight
        }),
        byte_order: bit(10).then_some(if bit(11) {
            ByteOrder::Little
        } else {
            ByteOrder::Big
        }),
        counter_bits: bit(12).then_some(choice[7] % 32 + 1),
        firmware: firmware
            .into_iter()
            .filter(|_| bit(13))
            .map(Arc::new)
            .collect(),
        ..CswitchOptions::default()
    }
}

fn walk(trace: &Trace) {
    assert!(trace.events.times().is_sorted());
    let mut interpreter = CswitchInterpreter::default();
    for event in trace.events.iter() {
        if let SchedEvent::IsrEnter { number } | SchedEvent::IsrExit { number } =
            interpreter.sched_event(trace, &event)
        {
            assert!(interpreter.isr_functions().get(number as usize).is_some());
        }
        let kind = trace.catalogue.get(event.kind).expect("a type of entry");
        trace
            .arguments(kind, &event)
            .for_each(|(_, value)| drop(value.to_string()));
        trace.context_name(event.context);
    }
    for diagnostic in &trace.diagnostics {
        assert!(!diagnostic.message.is_empty());
    }
}
