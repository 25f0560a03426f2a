#![doc = include_str!("../README.md")]

pub mod black_box;
pub mod btf;
pub mod clock;
pub mod container;
pub mod cswitch;
pub mod ctf;
pub mod files;
pub mod format;
mod format_strings;
pub mod live;
pub mod logic;
pub mod mapping;
pub mod memory;
pub mod percepio;
pub mod rkh;
pub mod source;
pub mod systemview;
pub mod text_events;
pub mod threadx;
pub mod tonbandgeraet;

mod call_stacks;
mod decimal;
mod error;
mod line_feeds;
mod packet_stream;
mod records;
mod rejected_texts;
mod sections;
mod thread_lookup;

pub use error::DecodeError;
pub use format::{
    DecodeOptions, DecodedRecording, EventInterpreter, FORMATS, Format, FormatDescription,
    FormatInfo, RegistryType, RegistryTypes, TargetCommand, TargetCommandError, TargetMemory,
    UnpackedInput, encode_commands,
};
pub use rtoscope_trace::TextEncoding;
pub use threadx::{BufferChoice, BufferImage, open};
