//! The time of threads by state.

use super::table::table_or;
use super::{ReportFormatter, percent};
use rtoscope_analysis::report::threads::ThreadRow;
use rtoscope_trace::Ticks;

impl ReportFormatter<'_> {
    /// The share of each state of each thread; empty if there are no threads.
    pub(super) fn thread_states(&self, rows: &[ThreadRow]) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let states = rows.iter().map(|row| {
            let shares = row.states.shares().into_iter();
            let shares = shares.map(|(state, ticks)| {
                let share = percent(self.view.percent(Ticks(ticks)));
                format!("{state} {share}")
            });
            vec![row.name.clone(), shares.collect::<Vec<_>>().join(", ")]
        });
        let header = ["thread", "states"].map(|name| (name.to_owned(), false));
        format!("\n{}", table_or(&header, states.collect(), ""))
    }
}
