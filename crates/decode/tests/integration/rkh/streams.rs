//! The sample streams and how to decode them.

use proptest::prelude::*;
use rtoscope_decode::rkh::{DecodedStream, RkhOptions, decode};
use rtoscope_fixtures::recordings_and_shared;
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use rtoscope_wire::rkh::frame::FLAG;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// A stream and its known properties.
pub(super) struct SampleStream {
    pub(super) name: String,
    folder: PathBuf,
}

/// All streams: those of the repository, and of a neighbouring directory if it
/// exists.
pub(super) fn all() -> Vec<SampleStream> {
    let streams = recordings_and_shared("rkh").into_iter();
    let found: BTreeMap<_, _> = streams
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, path.parent().unwrap().to_owned())
        })
        .collect();
    assert!(found.len() >= 9, "the repository has streams of its own");
    let known = found.into_iter();
    known
        .map(|(name, folder)| SampleStream { name, folder })
        .collect()
}

/// The stream with that name, if it exists.
pub(super) fn find(name: &str) -> Option<SampleStream> {
    all().into_iter().find(|known| known.name == name)
}

impl SampleStream {
    pub(super) fn bytes(&self) -> Vec<u8> {
        fs::read(self.path("bin")).unwrap()
    }

    /// A file beside the stream, if it exists.
    pub(super) fn beside(&self, extension: &str) -> Option<String> {
        fs::read_to_string(self.path(extension)).ok()
    }

    /// The lines of a JSON file beside the stream.
    pub(super) fn lines(&self, extension: &str) -> Option<Vec<Value>> {
        let text = self.beside(extension)?;
        Some(
            text.lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect(),
        )
    }

    fn path(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.name))
    }

    pub(super) fn decoder(&self) -> Option<StreamConfiguration> {
        let json: Value = serde_json::from_str(&self.beside("json")?).unwrap();
        let mut configuration = StreamConfiguration::default();
        for key in CONFIGURATION_KEYS {
            // References from before a setting existed have its default.
            let Some(value) = json["decoder"][key.name].as_u64() else {
                assert!(matches!(key.name, "id" | "chkts"), "{}", key.name);
                continue;
            };
            configuration.set(key.name, value as u32).unwrap();
        }
        Some(configuration)
    }

    pub(super) fn options(&self) -> RkhOptions {
        let configuration = self.decoder();
        RkhOptions {
            function_width: configuration.map(|configuration| configuration.function),
            configuration,
            ..RkhOptions::default()
        }
    }

    pub(super) fn decode(&self) -> DecodedStream {
        decode(&self.bytes(), &self.options()).unwrap()
    }
}

/// A changed, lost or added byte: position, kind, and value.
pub(super) type Change = (prop::sample::Index, u8, u8);

/// Any change.
pub(super) fn change() -> impl Strategy<Value = Change> {
    (any::<prop::sample::Index>(), 0..4_u8, any::<u8>())
}

/// Changes a non-empty stream.
pub(super) fn damage(bytes: &mut Vec<u8>, changes: Vec<Change>) {
    for (place, how, value) in changes {
        let place = place.index(bytes.len());
        match how {
            0 => bytes[place] = value,
            1 => drop(bytes.remove(place)),
            2 => bytes.insert(place, value),
            _ => bytes.insert(place, FLAG),
        }
    }
}
