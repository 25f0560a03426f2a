//! What is computed once from a recording to answer queries fast.

pub(crate) mod core_loads;
pub(crate) mod events_by_context;
pub(crate) mod level_pyramid;
pub(crate) mod post_index;
pub(crate) mod schedule_index;
pub(crate) mod state_machines;
