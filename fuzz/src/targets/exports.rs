//! Exports of trace buffers with a valid header, and of the same bytes as a recording of
//! any format.

use rtoscope_decode::DecodeOptions;
use crate::{Recipe, export_everything};

pub(crate) fn run(data: &[u8]) {
    export_everything(data, &DecodeOptions::default());
    if let Some(recipe) = Recipe::read(data) {
        let options = DecodeOptions {
            threadx: recipe.options(),
            ..DecodeOptions::default()
        };
        export_everything(&recipe.buffer(), &options);
    }
}
