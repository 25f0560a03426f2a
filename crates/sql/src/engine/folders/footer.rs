//! Footers of Parquet files, read without the engine.

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use std::fs::File;
use std::path::Path;

/// What the footer of a file says; `None` if the file cannot be read: the query that needs
/// its rows reports that.
pub(crate) struct Footer {
    /// The names of the columns.
    pub(crate) columns: Vec<String>,
    /// The number of recordings, if rtoscope wrote the file.
    pub(crate) recordings: Option<usize>,
}

impl Footer {
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let reader = SerializedFileReader::new(File::open(path).ok()?).ok()?;
        let metadata = reader.metadata().file_metadata();
        let fields = metadata.schema().get_fields().iter();
        let is_own = metadata
            .created_by()
            .is_some_and(|by| by.starts_with("rtoscope"));
        let pairs = metadata.key_value_metadata().into_iter().flatten();
        let mut pairs = pairs.filter(|pair| pair.key == "rtoscope.recordings");
        let recordings = pairs.next().and_then(|pair| {
            let recordings: Vec<serde::de::IgnoredAny> =
                serde_json::from_str(pair.value.as_deref()?).ok()?;
            Some(recordings.len())
        });
        Some(Self {
            columns: fields.map(|field| field.name().to_owned()).collect(),
            recordings: recordings.filter(|_| is_own),
        })
    }
}
