//! The program that libFuzzer drives. `FUZZ_TARGET` names the target.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_fuzz::{FuzzTarget, TARGETS};
use std::sync::LazyLock;

static TARGET: LazyLock<FuzzTarget> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET names a target");
    let target = TARGETS.iter().find(|target| target.name == name);
    *target.expect("FUZZ_TARGET names a target")
});

fuzz_target!(|data: &[u8]| (TARGET.run)(data));
