//! A viewer's queries of trace buffers with a valid header.

use rtoscope_decode::DecodeOptions;
use crate::{Recipe, query_everything};

pub(crate) fn run(data: &[u8]) {
    if let Some(recipe) = Recipe::read(data) {
        let options = DecodeOptions {
            threadx: recipe.options(),
            ..DecodeOptions::default()
        };
        query_everything(&recipe.buffer(), &options);
    }
}
