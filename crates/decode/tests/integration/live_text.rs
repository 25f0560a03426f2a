//! Texts that arrive in chunks.

use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, Format, UnpackedInput};

/// The options of a stream of a format whose events are all retained.
pub(crate) fn options(format: Format) -> LiveOptions {
    LiveOptions {
        options: DecodeOptions::default(),
        format: Some(format),
        max_events: u64::MAX,
    }
}

/// The events of a stream that arrives in chunks of these sizes.
pub(crate) fn decode(format: Format, text: &[u8], sizes: &[usize]) -> DecodedRecording {
    let mut live = LiveDecoder::new(options(format));
    let mut rest = text;
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, later) = rest.split_at((*size).min(rest.len()));
        live.push(chunk, HostTime(0));
        rest = later;
    }
    live.connection_lost();
    live.next_update().unwrap();
    live.window(u64::MAX).unwrap().decode().unwrap()
}

/// Sizes of chunks, and places and lengths of bytes that are missing.
pub(crate) fn chunks_and_cuts(
    bytes: usize,
) -> impl Strategy<Value = (Vec<usize>, Vec<(usize, usize)>)> {
    (
        prop::collection::vec(1_usize..200, 1..5),
        prop::collection::vec((0..bytes, 0_usize..30), 0..3),
    )
}

/// A text is the same trace live and as a file, also without some of its bytes.
pub(crate) fn check_equals_file(
    format: Format,
    text: &str,
    (sizes, cuts): (Vec<usize>, Vec<(usize, usize)>),
) -> Result<(), TestCaseError> {
    let mut text = text.as_bytes().to_vec();
    for (at, count) in cuts {
        let end = (at + count).min(text.len());
        text.drain(at.min(end)..end);
    }
    let input = UnpackedInput::open(Input::new(&text), BufferChoice::First, Some(format));
    let file = input.and_then(|input| input.decode(&DecodeOptions::default()));
    let Ok(DecodedRecording { trace: file, .. }) = file else {
        return Ok(());
    };
    let live = decode(format, &text, &sizes).trace;
    prop_assert_eq!(&live.events, &file.events);
    prop_assert_eq!(&live.gaps, &file.gaps);
    prop_assert_eq!(live.diagnostics, file.diagnostics);
    Ok(())
}
