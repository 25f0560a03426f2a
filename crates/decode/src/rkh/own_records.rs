//! Declarations of the application's own records, whose arguments have no format in the
//! stream.
//!
//! ```toml
//! [[record]]
//! event = 3
//! arguments = ["u16", "obj", "str"]
//! ```

use rtoscope_wire::rkh::id::{FIRST_USER_ID, user_event};
use rtoscope_wire::rkh::user::ItemFormat;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The formats of the arguments of the application's own records, by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnRecords(BTreeMap<u8, Vec<ItemFormat>>);

/// Why a declaration is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OwnRecordsError {
    /// The file is not TOML, or has other keys.
    #[error("{0}")]
    Toml(String),
    /// No event of the application has the number.
    #[error("the application has no event {0}: expected 0 to 31, or RKH_TE_USER + 0 to 31")]
    Event(u32),
    /// An event is declared twice.
    #[error("event {0} is declared twice")]
    Duplicate(u32),
    /// An argument's type does not exist.
    #[error(
        "event {event}: expected i8, u8, i16, u16, i32, u32, x32, str, mem, obj, fun or sig, \
         found `{name}`"
    )]
    Type {
        /// The event.
        event: u32,
        /// The type as declared.
        name: String,
    },
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    record: Vec<Declaration>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Declaration {
    event: u32,
    arguments: Vec<String>,
}

impl OwnRecords {
    /// No declaration.
    pub const NONE: &'static Self = &Self(BTreeMap::new());

    /// Adds the declarations `[[record]]` of a file in TOML.
    ///
    /// # Errors
    /// See [`OwnRecordsError`].
    pub fn extend_from_toml(&mut self, text: &str) -> Result<(), OwnRecordsError> {
        let file: File =
            toml::from_str(text).map_err(|error| OwnRecordsError::Toml(error.to_string()))?;
        for Declaration { event, arguments } in file.record {
            let number = user_event(event).ok_or(OwnRecordsError::Event(event))?;
            let formats: Result<Vec<_>, _> = arguments
                .into_iter()
                .map(|name| {
                    let mut formats = ItemFormat::ALL.into_iter();
                    let format = formats.find(|format| format.name() == name);
                    format.ok_or(OwnRecordsError::Type { event, name })
                })
                .collect();
            if self.0.insert(FIRST_USER_ID | number, formats?).is_some() {
                return Err(OwnRecordsError::Duplicate(event));
            }
        }
        Ok(())
    }

    /// The formats of a record's arguments, if it is declared.
    pub(super) fn formats(&self, id: u8) -> Option<&[ItemFormat]> {
        self.0.get(&id).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<OwnRecords, OwnRecordsError> {
        let mut records = OwnRecords::default();
        records.extend_from_toml(text).map(|()| records)
    }

    #[test]
    fn records_are_declared_by_event() {
        let text = "[[record]]\nevent = 0xC3\narguments = ['u16', 'str']\n[[event]]\nid = 4096";
        let records = read(text).unwrap();
        let formats = [ItemFormat::U16, ItemFormat::Text];
        assert_eq!(records.formats(0xC3), Some(&formats[..]));
        assert_eq!(records.formats(0xC4), None);
    }

    #[test]
    fn invalid_declarations_are_errors() {
        let two = "[[record]]\nevent = 1\narguments = []\n".repeat(2);
        for (text, expected) in [
            ("[[record]]\nevent = 32\narguments = []", "no event 32"),
            ("[[record]]\nevent = 1\narguments = ['u64']", "found `u64`"),
            (two.as_str(), "declared twice"),
            ("[[record]]\nevent = 1", "arguments"),
            ("[[", "line 1"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
