//! JSON lines: an object per line.

use super::row::{Columns, Row};
use crate::mapping::MappingTables;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::io::Write as _;

/// Reads the object of a line.
///
/// # Errors
///
/// If it is none.
pub(super) fn read(
    line: &[u8],
    columns: &mut Columns,
    tables: &MappingTables,
    row: &mut Row,
) -> Result<(), serde_json::Error> {
    row.clear();
    let mut json = serde_json::Deserializer::from_slice(line);
    let members = Members {
        columns,
        tables,
        row,
    };
    json.deserialize_map(members)?;
    json.end()
}

struct Members<'r> {
    columns: &'r mut Columns,
    tables: &'r MappingTables,
    row: &'r mut Row,
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(column) = map.next_key_seed(ColumnName {
            columns: self.columns,
            tables: self.tables,
        })? {
            match column {
                Some(column) => map.next_value_seed(Value {
                    column,
                    row: self.row,
                })?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct ColumnName<'r> {
    columns: &'r mut Columns,
    tables: &'r MappingTables,
}

impl<'de> DeserializeSeed<'de> for ColumnName<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for ColumnName<'_> {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.columns.find_or_add(name, self.tables))
    }
}

struct Value<'r> {
    column: usize,
    row: &'r mut Row,
}

impl Value<'_> {
    fn set(self, value: fmt::Arguments<'_>) {
        let mut text = [0; 64];
        let mut rest = text.as_mut_slice();
        // A number is shorter.
        let _ = rest.write_fmt(value);
        let left = rest.len();
        let length = text.len() - left;
        let text = text.get(..length).unwrap_or_default();
        self.row.set(self.column, text, false);
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number or a text")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.set(format_args!("{}", u8::from(value)));
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.set(format_args!("{value}"));
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.set(format_args!("{value}"));
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.set(format_args!("{value:?}"));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.row.set(self.column, value.as_bytes(), true);
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    // What an event cannot have as a field.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        while sequence.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
