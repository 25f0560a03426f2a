//! All reports of trace buffers with a valid header.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_fuzz::{Recipe, report_everything};

fuzz_target!(|data: &[u8]| {
    if let Some(recipe) = Recipe::read(data) {
        report_everything(&recipe.buffer(), &recipe.options(), recipe.part());
    }
});
