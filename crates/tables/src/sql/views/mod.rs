//! Views for frequent queries.

use super::SqlScript;

macro_rules! views {
    ($($name:literal)*) => {
        /// The name and the SQL of each view. A view can use those before it.
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!($name, ".sql")))),*];
    };
}

views! {
    "cpu_time"
    "cpu_by_second"
    "isr_load"
    "wake_up_latencies"
    "waits"
    "ready_while_running"
    "message_latencies"
    "service_counts"
    "state_residency"
    "recording_metrics"
}

/// All views.
pub fn all() -> impl Iterator<Item = SqlScript> {
    FILES
        .iter()
        .map(|(name, text)| SqlScript::parse(name, text))
}
