//! The input of a command: file, buffer and decoding options.

mod analyzed;
mod capture_folder;
mod clock_settings;
mod decode;
mod given_options;
mod listed_recordings;
mod log_settings;
mod mapping_settings;
mod overwrite_guard;
mod quantity;
mod recording_file;
mod recording_id;
mod rkh_settings;
pub(crate) mod settings;
mod symbols;
mod text_log;
mod threadx_settings;
mod timing;

pub use crate::config_file::read_rules;
pub use analyzed::open_analyzed;
pub use capture_folder::CaptureHistory;
pub use decode::DecodeArgs;
pub use given_options::GivenDecodeOptions;
pub(crate) use listed_recordings::is_list as is_list_of_recordings;
pub use listed_recordings::{ListEntry, ListedRecording, parse_drift};
pub use log_settings::ByteOrderArg;
pub use overwrite_guard::guard_overwrite;
pub use quantity::{parse_duration, parse_number, parse_size};
pub use recording_file::{BufferArgs, FileArgs, FilesArgs, InputFormat, Packing, notes_path};
pub use recording_id::parse_recording_id;
#[cfg(not(target_family = "wasm"))]
pub use settings::list_settings;
pub use settings::{FormatSettings, option_of_file};
pub use text_log::TextLogArgs;
pub use timing::{Timing, TimingArgs};
