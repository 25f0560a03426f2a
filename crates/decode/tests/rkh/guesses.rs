//! Configurations guessed from streams whose configuration is known.

use super::streams;
use rtoscope_decode::rkh::guess::{Confidence, Guess, infer};
use rtoscope_decode::rkh::{Options, Recording, decode};
use rtoscope_wire::rkh::Configuration;
use rtoscope_wire::rkh::config::KEYS;

/// A stream without what the target says about itself, read with a configuration.
fn read(bytes: &[u8], configuration: &Configuration) -> Recording {
    let options = Options {
        configuration: Some(*configuration),
        function: Some(configuration.function),
        ..Options::default()
    };
    decode(bytes, &options).unwrap()
}

/// The guess with what it is not sure of as it really is.
fn corrected(guess: &Guess, truth: &Configuration) -> Configuration {
    let mut configuration = guess.configuration;
    for key in KEYS {
        if guess.ambiguous.contains(&key.name) && key.name != "tssize" {
            configuration
                .set(key.name, truth.get(key.name).unwrap())
                .unwrap();
        }
    }
    if guess.ambiguous.contains(&"tssize") {
        configuration.stamp = truth.stamp;
    }
    configuration
}

/// Without the frames of the target's configuration.
fn untold(bytes: &[u8]) -> Vec<u8> {
    let frames = bytes
        .split(|byte| *byte == 0x7E)
        .filter(|frame| frame.first() != Some(&0xAC));
    frames.flat_map(|frame| [frame, &[0x7E]].concat()).collect()
}

#[test]
fn a_guess_is_right_or_says_what_it_does_not_know() {
    for known in streams::all() {
        let Some(truth) = known.decoder() else {
            continue;
        };
        let bytes = untold(&known.bytes());
        let Some(guess) = infer(&bytes) else {
            panic!("no guess for {}", known.name)
        };
        println!(
            "{} {:?} {}/{} ({}) {:?}",
            known.name,
            guess.confidence,
            guess.fitting,
            guess.frames,
            guess.runner_up,
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
