//! Dictionaries: strings with numeric codes.

use super::label::Label;
use crate::StringTable;
use crate::row_context::RowContext;
use foldhash::HashMap;
use rtoscope_trace::parallel;
use std::ops::Range;
use std::sync::Arc;

/// Rows whose labels are collected on one thread.
const PART_ROWS: usize = 1 << 17;

/// The strings of a dictionary column, and the code of each label.
pub(super) struct Dictionary {
    pub(super) strings: Arc<StringTable>,
    codes: HashMap<Label, u32>,
}

/// Distinct labels.
#[derive(Default)]
struct Labels {
    /// In the order of their first occurrence.
    in_order: Vec<Label>,
    /// The place of each.
    codes: HashMap<Label, u32>,
}

impl Labels {
    fn add(&mut self, label: Label) {
        self.codes.entry(label).or_insert_with(|| {
            self.in_order.push(label);
            (self.in_order.len() - 1) as u32
        });
    }
}

impl Dictionary {
    /// Collects the texts of the labels of all rows, each once, in the order of their first
    /// occurrence. `visit` passes the labels of a range of rows.
    pub(super) fn new(
        ctx: &RowContext<'_>,
        rows: usize,
        visit: impl Fn(Range<usize>, &mut dyn FnMut(Label)) + Sync,
    ) -> Self {
        let distinct = |rows| {
            let mut labels = Labels::default();
            visit(rows, &mut |label| labels.add(label));
            labels.in_order
        };
        let parts = (0..rows).step_by(PART_ROWS);
        let parts = parts.map(|first| first..rows.min(first + PART_ROWS));
        let parts = parallel::map(parts.collect(), distinct);
        let mut labels = Labels::default();
        parts
            .into_iter()
            .flatten()
            .for_each(|label| labels.add(label));
        let texts = labels.in_order.iter().map(|label| label.text(ctx));
        let mut strings: StringTable = texts.collect();
        if strings.is_empty() {
            // A dictionary has at least one string, so that rows without a
            // value have a valid code.
            strings.push("");
        }
        Self {
            strings: Arc::new(strings),
            codes: labels.codes,
        }
    }

    /// The code of a label.
    #[inline]
    pub(super) fn code(&self, label: Label) -> u32 {
        self.codes.get(&label).copied().unwrap_or_default()
    }
}
