//! Views: what is asked often, as if it were a table.

use crate::script::SqlScript;

macro_rules! views {
    ($($name:literal)*) => {
        /// Each view's name and file. Later ones can use those before.
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, ".sql")))),*];
    };
}

views! {
    "cpu_time"
    "cpu_by_second"
    "isr_load"
    "wake_latencies"
    "waits"
    "ready_while_running"
    "message_latencies"
    "service_counts"
    "state_times"
}

/// All views.
pub(crate) fn all() -> impl Iterator<Item = SqlScript> {
    FILES
        .iter()
        .map(|(name, text)| SqlScript::parse(name, text))
}
