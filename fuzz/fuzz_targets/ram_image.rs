//! Memory images with bytes before, between and after two trace buffers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rtoscope_fuzz::{Recipe, decode_everything};

fuzz_target!(|data: &[u8]| {
    let Some((length, rest)) = data.split_first() else {
        return;
    };
    let (around, rest) = rest.split_at(rest.len().min(usize::from(*length)));
    if let Some(recipe) = Recipe::read(rest) {
        let buffer = recipe.buffer();
        let image = [around, &buffer, around, &buffer, around].concat();
        decode_everything(&image, &recipe.options());
    }
});
