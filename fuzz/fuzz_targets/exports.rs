//! Exports of trace buffers with a valid header, and of the same bytes as a recording of
//! any format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_decode::DecodeOptions;
use rtoscope_fuzz::{Recipe, export_everything};

fuzz_target!(|data: &[u8]| {
    export_everything(data, &DecodeOptions::default());
    if let Some(recipe) = Recipe::read(data) {
        let options = DecodeOptions {
            threadx: recipe.options(),
            ..DecodeOptions::default()
        };
        export_everything(&recipe.buffer(), &options);
    }
});
