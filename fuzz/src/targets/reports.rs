//! All reports of trace buffers with a valid header.

use crate::{Recipe, report_everything};

pub(crate) fn run(data: &[u8]) {
    if let Some(recipe) = Recipe::read(data) {
        report_everything(&recipe.buffer(), recipe.options(), recipe.part());
    }
}
