//! The input of a command: file, buffer and decoding options.

mod capture_folder;
mod cswitch;
mod decode;
mod given_options;
mod overwrite_guard;
mod quantity;
mod recording_file;
mod recording_id;
mod rkh;
mod set_options;
mod symbols;
mod text_log;
mod threadx;
mod timing;

pub use capture_folder::CaptureHistory;
pub use cswitch::ByteOrderArg;
pub use decode::DecodeArgs;
pub use given_options::GivenDecodeOptions;
pub use overwrite_guard::guard_overwrite;
pub use quantity::{parse_duration, parse_number, parse_size};
pub use recording_file::{BufferArgs, FileArgs, FilesArgs, InputFormat, Packing};
pub use recording_id::parse_recording_id;
pub use text_log::TextLogArgs;
pub use threadx::CatalogueArgs;
pub use timing::{Timing, TimingArgs};
