//! Recordings for tests of exports.

pub(crate) use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::source::Source as File;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use std::path::Path;

/// A file of the repository's test data, such as `threadx/be32_ppc_names.trx`.
pub(crate) fn open(name: &str) -> AnalyzedRecording {
    open_file(&rtoscope_fixtures::testdata(name))
}

/// The same, not analysed.
pub(crate) fn recording(name: &str) -> DecodedRecording {
    decode(&rtoscope_fixtures::testdata(name))
}

/// A recording that needs no decoding options.
pub(crate) fn open_file(path: &Path) -> AnalyzedRecording {
    analyze(&path.display().to_string(), decode(path))
}

fn decode(path: &Path) -> DecodedRecording {
    let file = File::open(path).unwrap();
    let content = UnpackedInput::open(file.input(), BufferChoice::First, None).unwrap();
    content.decode(&DecodeOptions::default()).unwrap()
}

/// Analyses a recording; its identity is the file's stem.
pub(crate) fn analyze(name: &str, recording: DecodedRecording) -> AnalyzedRecording {
    let id = Path::new(name).file_stem().unwrap_or_default();
    let DecodedRecording { trace, format_info } = recording;
    AnalyzedRecording::new(name, id.to_string_lossy(), trace, &format_info)
}
