//! Trace buffers with a valid header.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_fuzz::{Recipe, decode_everything, same_in_both_orders};

fuzz_target!(|data: &[u8]| {
    if let Some(recipe) = Recipe::read(data) {
        let (buffer, options) = (recipe.buffer(), recipe.options());
        decode_everything(&buffer, &options);
        same_in_both_orders(&buffer, &options);
    }
});
