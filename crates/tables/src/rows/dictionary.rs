//! Dictionaries: strings with numeric codes.

use crate::StringTable;
use foldhash::HashMap;
use rtoscope_trace::parallel;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

/// Rows whose labels are collected on one thread.
const PART_ROWS: usize = 1 << 17;

/// The strings of a dictionary column, and the code of each label: a value before it is formatted.
/// Equal labels have equal texts.
pub(super) struct Dictionary<L> {
    pub(super) strings: Arc<StringTable>,
    codes: HashMap<L, u32>,
}

/// Distinct labels.
struct Labels<L> {
    /// In the order of their first occurrence.
    in_order: Vec<L>,
    /// The place of each.
    codes: HashMap<L, u32>,
}

impl<L: Copy + Eq + Hash> Labels<L> {
    fn add(&mut self, label: L) {
        self.codes.entry(label).or_insert_with(|| {
            self.in_order.push(label);
            (self.in_order.len() - 1) as u32
        });
    }
}

impl<L> Default for Labels<L> {
    fn default() -> Self {
        Self {
            in_order: Vec::new(),
            codes: HashMap::default(),
        }
    }
}

impl<L: Copy + Eq + Hash + Send> Dictionary<L> {
    /// Collects the texts of the labels of all rows, each once, in the order of their first
    /// occurrence. `visit` passes the labels of a range of rows.
    pub(super) fn new(
        rows: usize,
        visit: impl Fn(Range<usize>, &mut dyn FnMut(L)) + Sync,
        text: impl Fn(L) -> String,
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
        let texts = labels.in_order.iter().map(|label| text(*label));
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
    pub(super) fn code(&self, label: L) -> u32 {
        self.codes.get(&label).copied().unwrap_or_default()
    }
}
