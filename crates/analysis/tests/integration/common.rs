//! Recordings that are decoded and analysed, and options of simulated kernels.

use proptest::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, Format, UnpackedInput};
use rtoscope_generate::{ThreadXOptions, ThreadXTruth, write_with_truth};
use std::ops::Range;

/// `None` if it is not a recording.
pub(crate) fn decode(bytes: &[u8], format: Option<Format>) -> Option<DecodedRecording> {
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, format).ok()?;
    content.decode(&DecodeOptions::default()).ok()
}

pub(crate) fn analyze(bytes: &[u8]) -> AnalyzedRecording {
    let DecodedRecording { trace, format_info } = decode(bytes, None).unwrap();
    AnalyzedRecording::new("test", "test", trace, &format_info)
}

/// The trace of a simulated ThreadX kernel, and its truth.
pub(crate) fn simulate(options: &ThreadXOptions) -> (Vec<u8>, ThreadXTruth) {
    let mut bytes = Vec::new();
    let (_, truth) = write_with_truth(options, &mut bytes, &mut |_| ()).unwrap();
    (bytes, truth)
}

pub(crate) fn options(
    threads: Range<u16>,
    events: Range<u64>,
) -> impl Strategy<Value = ThreadXOptions> {
    let numbers = (any::<u64>(), threads, events);
    (numbers, any::<[bool; 3]>()).prop_map(|((seed, threads, events), flags)| {
        let [thread_control, inheritance, timeouts] = flags;
        ThreadXOptions {
            seed,
            threads,
            events,
            thread_control,
            inheritance,
            timeouts,
            ..ThreadXOptions::default()
        }
    })
}
