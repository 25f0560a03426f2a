//! Memory images with bytes before, between and after two trace buffers.

use crate::{Recipe, decode_everything};

pub(crate) fn run(data: &[u8]) {
    let Some((length, rest)) = data.split_first() else {
        return;
    };
    let (around, rest) = rest.split_at(rest.len().min(usize::from(*length)));
    if let Some(recipe) = Recipe::read(rest) {
        let buffer = recipe.buffer();
        let image = [around, &buffer, around, &buffer, around].concat();
        decode_everything(&image, &recipe.options());
    }
}
