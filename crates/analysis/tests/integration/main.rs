//! Schedules and reports of simulated and real recordings.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod active;
mod camera;
mod common;
mod critical_path;
mod deadlines;
mod doctor;
mod event_items;
mod findings;
mod generated;
mod generated_cswitch;
mod generated_rkh;
mod held_items;
mod intervals;
mod live_analysis;
mod marked_items;
mod percepio;
mod periods;
mod pipelines;
mod rendezvous;
mod schedule_changes;
mod systemview;
mod thread_states;
mod threadx_services;
mod traces;
