//! Containers and the decoders of all formats.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod btf;
mod containers;
mod cswitch;
mod ctf;
mod detection;
mod golden;
mod live_text;
mod live_threadx;
mod logic;
mod packet_streams;
mod percepio;
mod priority_flags;
mod rkh;
mod several_buffers;
mod systemview;
mod text_events;
mod text_transfers;
mod threadx_call_stacks;
mod threadx_clock;
mod tonbandgeraet;
mod untrusted_dumps;
