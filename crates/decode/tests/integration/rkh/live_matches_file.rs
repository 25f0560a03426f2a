//! Recordings opened live, against the same bytes in a file.

use super::live::{decode_file, settings, stream};
use super::streams;
use proptest::prelude::*;
use rtoscope_decode::DecodedRecording;
use rtoscope_decode::live::{HostTime, LiveDecoder};
use rtoscope_decode::rkh::{RkhOptions, StreamLosses};
use rtoscope_wire::rkh::frame::FLAG;
use std::sync::LazyLock;

/// Decodes the bytes as a live recording.
fn opened(bytes: &[u8], options: &RkhOptions, piece: usize) -> Option<DecodedRecording> {
    let mut live = LiveDecoder::new(settings(options, u64::MAX));
    for piece in bytes.chunks(piece) {
        live.push(piece, HostTime::default());
    }
    live.connection_lost();
    let news = live.next_update().ok().flatten();
    news.map(|news| news.recording)
}

fn compare(name: &str, bytes: &[u8], options: &RkhOptions) {
    let expected = decode_file(bytes, options);
    let Some(found) = opened(bytes, options, 1 << 18) else {
        assert_eq!(expected.trace.events.len(), 0, "{name}");
        return;
    };
    assert_eq!(stream(&found).losses, expected.stream_info.losses, "{name}");
    assert_eq!(found.trace.gaps, expected.trace.gaps, "{name}");
    assert_eq!(
        found.trace.diagnostics, expected.trace.diagnostics,
        "{name}"
    );
}

/// Invalid frames.
fn noise(frames: usize) -> Vec<u8> {
    let frame: Vec<u8> = (1..=7).chain([FLAG]).collect();
    frame.repeat(frames)
}

fn sample_streams() -> Vec<(String, Vec<u8>, RkhOptions)> {
    let known = streams::all().into_iter();
    let known = known.filter(|known| known.decoder().is_some());
    let known = known.map(|known| (known.name.clone(), known.bytes(), known.options()));
    known.collect()
}

#[test]
fn figures_are_those_of_the_file() {
    for (name, bytes, options) in sample_streams() {
        compare(&name, &bytes, &options);
        let end = bytes.len() - bytes.len() / 3;
        compare(&name, &bytes[..end], &options);
    }
}

#[test]
fn noise_behind_the_last_event_counts() {
    let known = streams::find("nat_short").unwrap();
    let (bytes, options) = (known.bytes(), known.options());
    // More than is retained of a page, and than is retained at all; and after
    // enough events that a page has just been sealed.
    let sealed = bytes.repeat(4096_usize.div_ceil(events(&bytes, &options)));
    for start in [&bytes, &sealed] {
        for frames in [1, 300, 3 * StreamLosses::MAX_PROBLEMS] {
            let mut bytes = [&start[..], &[FLAG], &noise(frames)].concat();
            compare("trailing noise", &bytes, &options);
            bytes.extend_from_slice(&start[..]);
            compare("noise between", &bytes, &options);
        }
    }
}

fn events(bytes: &[u8], options: &RkhOptions) -> usize {
    decode_file(bytes, options).trace.events.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_damaged_recording_says_what_the_damaged_file_says(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec(streams::change(), 0..20),
        end in any::<prop::sample::Index>(),
    ) {
        static ALL: LazyLock<Vec<(String, Vec<u8>, RkhOptions)>> = LazyLock::new(sample_streams);
        let (name, bytes, options) = &ALL[which.index(ALL.len())];
        let mut bytes = bytes.clone();
        bytes.truncate(8000);
        streams::damage(&mut bytes, changes);
        bytes.truncate(1 + end.index(bytes.len()));
        compare(name, &bytes, options);
    }

    #[test]
    fn what_is_opened_does_not_depend_on_how_it_came(
        changes in proptest::collection::vec(streams::change(), 1..20),
        piece in 1_usize..5000,
    ) {
        let known = streams::find("nat_short").unwrap();
        let (mut bytes, options) = (known.bytes(), known.options());
        streams::damage(&mut bytes, changes);
        let one = opened(&bytes, &options, piece);
        prop_assert_eq!(one, opened(&bytes, &options, usize::MAX));
    }
}

/// The user's settings are not needed if the target sends them.
#[test]
fn statistics_match_the_file_if_the_target_sends_its_configuration() {
    for (name, bytes, _) in sample_streams() {
        let options = RkhOptions::default();
        let file = decode_file(&bytes, &options);
        if file.stream_info.runs[0].target.is_some() {
            compare(&name, &bytes, &options);
        }
    }
}
