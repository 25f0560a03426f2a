//! Streams of packets that arrive in chunks.

use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_fixtures::read_testdata;
use rtoscope_trace::EventIndex;

/// Complete recordings, and others with losses.
const RECORDINGS: [&str; 4] = [
    "systemview/cm3_noret.bin",
    "systemview/cm3_overflow.bin",
    "percepio/cm3_nested.psf",
    "percepio/cm3_lossy1k.psf",
];

fn live() -> LiveOptions {
    LiveOptions {
        options: DecodeOptions::default(),
        format: None,
        max_events: u64::MAX,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rtoscope_fixtures::cases(8)))]

    /// A stream that arrives in chunks of any size is the same trace, also from a checkpoint on.
    #[test]
    fn chunks_of_any_size_are_the_same(
        name in prop::sample::select(&RECORDINGS[..]), size in 700_usize..9000,
    ) {
        let bytes = read_testdata(name);
        let input = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
        let whole = input.decode(&DecodeOptions::default()).unwrap().trace;
        let mut decoder = LiveDecoder::new(live());
        for chunk in bytes.chunks(size) {
            decoder.push(chunk, HostTime(0));
            decoder.next_update().unwrap();
        }
        decoder.connection_lost();
        decoder.next_update().unwrap();
        let trace = decoder.window(u64::MAX).unwrap().decode().unwrap().trace;
        prop_assert_eq!(&trace.events, &whole.events);
        prop_assert_eq!(&trace.gaps, &whole.gaps);
        prop_assert_eq!(&trace.objects, &whole.objects);
        prop_assert_eq!(&trace.contexts, &whole.contexts);

        let middle = whole.events.len() as u64 / 2;
        let checkpoint = decoder.checkpoint_before(middle);
        let Some(checkpoint) = checkpoint.cloned() else { return Ok(()) };
        let mut resumed = LiveDecoder::resume(live(), &checkpoint);
        resumed.push(&bytes[checkpoint.offset() as usize..], HostTime(0));
        resumed.connection_lost();
        resumed.next_update().unwrap();
        let rest = resumed.window(u64::MAX).unwrap().decode().unwrap().trace;
        let start = EventIndex(checkpoint.event as u32);
        prop_assert_eq!(rest.origin.event, checkpoint.event);
        prop_assert_eq!(rest.origin.time, whole.events.time(start).unwrap());
        for event in rest.events.iter() {
            let number = EventIndex(event.index.0 + start.0);
            let same = whole.events.get(number).unwrap();
            prop_assert_eq!((event.kind, event.context), (same.kind, same.context));
            prop_assert_eq!(event.timestamp, same.timestamp);
        }
    }
}
