//! Recordings for tests of exports.

pub(crate) use rtoscope_command::Opened;
use rtoscope_decode::source::Source as File;
use rtoscope_decode::{Choice, Content, Options};
use std::path::{Path, PathBuf};

/// A file of the repository's test data, such as `threadx/be32_ppc_names.trx`.
pub(crate) fn open(name: &str) -> Opened {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    open_file(&folder.join(name))
}

/// A recording that tells all that is needed to read it.
pub(crate) fn open_file(path: &Path) -> Opened {
    let file = File::open(path).unwrap();
    let content = Content::open(file.input(), Choice::First, None).unwrap();
    let recording = content.decode(&Options::default()).unwrap();
    Opened::new(path.display().to_string(), recording)
}
