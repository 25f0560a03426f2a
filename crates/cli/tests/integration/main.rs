//! Runs the command.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

#[cfg(target_os = "linux")]
mod bounds;
mod call_stacks;
mod check;
mod check_live;
mod check_sequences;
mod cli;
mod clock;
mod common;
mod compare;
mod critical_path;
mod cswitch;
mod doctor;
mod dropped_frames;
mod export;
mod firmware;
mod formats;
mod ground_truth;
mod hostile_names;
mod intervals;
mod live;
mod live_info;
mod live_unread;
#[cfg(feature = "mcp")]
mod mcp;
mod merge;
mod output;
mod percepio;
mod pipelines;
mod project_file;
mod recording;
mod replay;
mod report;
mod rkh;
mod systemview;
mod text_log;
mod threadx_stream;
mod view;
#[cfg(windows)]
mod windows;
