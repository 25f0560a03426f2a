//! A viewer's queries of trace buffers with a valid header.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::DecodeOptions;
use rtoscope_fuzz::{Recipe, query_everything};

fuzz_target!(|data: &[u8]| {
    if let Some(recipe) = Recipe::read(data) {
        let options = DecodeOptions {
            threadx: recipe.options(),
            ..DecodeOptions::default()
        };
        query_everything(&recipe.buffer(), &options);
    }
});
