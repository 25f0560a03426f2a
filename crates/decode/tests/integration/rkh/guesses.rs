//! Configurations guessed from streams with a known configuration.

use super::streams;
use rtoscope_decode::rkh::OwnRecords;
use rtoscope_decode::rkh::guess::{Confidence, ConfigurationGuess, infer};
use rtoscope_decode::rkh::{DecodedStream, RkhOptions, decode};
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;

/// Reads a stream without its target configuration, with a given configuration.
fn read(bytes: &[u8], configuration: &StreamConfiguration) -> DecodedStream {
    let options = RkhOptions {
        configuration: Some(*configuration),
        function_width: Some(configuration.function),
        ..RkhOptions::default()
    };
    decode(bytes, &options).unwrap()
}

/// The guess with its ambiguous settings corrected.
fn corrected(guess: &ConfigurationGuess, truth: &StreamConfiguration) -> StreamConfiguration {
    let mut configuration = guess.configuration;
    for key in CONFIGURATION_KEYS {
        if guess.ambiguous.contains(&key.name) && key.name != "tssize" {
            configuration
                .set(key.name, truth.get(key.name).unwrap())
                .unwrap();
        }
    }
    if guess.ambiguous.contains(&"tssize") {
        configuration.timestamp = truth.timestamp;
    }
    configuration
}

/// Removes the frames with the target's configuration.
fn without_target_record(bytes: &[u8]) -> Vec<u8> {
    let frames = bytes
        .split(|byte| *byte == 0x7E)
        .filter(|frame| frame.first() != Some(&0xAC));
    frames.flat_map(|frame| [frame, &[0x7E]].concat()).collect()
}

/// More of a stream is not read, which takes time.
const MAX_BYTES: usize = 6000;

#[test]
fn a_guess_is_right_or_says_what_it_does_not_know() {
    for known in streams::all() {
        let Some(truth) = known.decoder() else {
            continue;
        };
        let bytes = known.bytes();
        let bytes = without_target_record(&bytes[..bytes.len().min(MAX_BYTES)]);
        let Some(guess) = infer(&bytes, OwnRecords::NONE) else {
            panic!("no guess for {}", known.name)
        };
        println!(
            "{} {:?} {}/{} ({}) {:?}",
            known.name,
            guess.confidence,
            guess.fitting_frames,
            guess.frames,
            guess.runner_up_frames,
            guess.ambiguous
        );
        let expected = read(&bytes, &truth).trace;
        let found = read(&bytes, &corrected(&guess, &truth)).trace;
        assert_eq!(found.events, expected.events, "{}: {guess:?}", known.name);
        let all_kinds = known.name.starts_with("allrec_");
        assert!(
            !all_kinds || guess.confidence == Confidence::Certain,
            "{}: {guess:?}",
            known.name
        );
    }
}
