//! Context-switch logs: written as on a target, and decoded.

mod anomalies;
mod builders;
mod call_stacks;
mod damage;
mod images;
mod live;
mod live_cores;
mod live_damage;
mod live_packed;
mod live_probe;
mod live_resume;
mod live_target;
mod overwritten;
mod properties;
mod semantics;
mod untrusted;
