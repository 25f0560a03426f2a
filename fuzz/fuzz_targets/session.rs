//! A viewer's questions about trace buffers with a header that makes sense.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::DecodeOptions;
use rtoscope_fuzz::{Recipe, ask_everything};

fuzz_target!(|data: &[u8]| {
    if let Some(recipe) = Recipe::read(data) {
        let options = DecodeOptions {
            threadx: recipe.options(),
            ..DecodeOptions::default()
        };
        ask_everything(&recipe.buffer(), &options);
    }
});
