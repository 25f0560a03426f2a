//! Operations on the recorder of ThreadX traces, against the model of its tests.
#![no_main]

// These files are formatted with the crate that they belong to.
#[rustfmt::skip]
#[path = "../../crates/record/tests/threadx/buffer.rs"]
mod buffer;
#[rustfmt::skip]
#[path = "../../crates/record/tests/threadx/model.rs"]
mod model;
#[rustfmt::skip]
#[path = "../../crates/record/tests/threadx/run.rs"]
mod run;
#[rustfmt::skip]
#[path = "../../crates/record/tests/threadx/support.rs"]
mod support;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    run::operate::<u32>(data);
    run::operate::<u64>(data);
});
