//! Trace buffers with a valid header.

use crate::{Recipe, decode_everything, same_in_both_orders};

pub(crate) fn run(data: &[u8]) {
    if let Some(recipe) = Recipe::read(data) {
        let (buffer, options) = (recipe.buffer(), recipe.options());
        decode_everything(&buffer, &options);
        same_in_both_orders(&buffer, &options);
    }
}
