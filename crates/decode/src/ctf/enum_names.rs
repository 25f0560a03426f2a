//! The names of values, which the model keeps for the whole run of the program.

use super::field_class::Mapping;
use rtoscope_trace::catalogue::{NamedValues, UnnamedFormat};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Maximum number of names to keep, of all recordings together, and in one set.
const MAX_NAMES: usize = 1 << 16;
const MAX_NAMES_IN_SET: usize = 1 << 12;

/// The name of a field, and its values with their names.
type NameSet = (String, Vec<(u64, String)>);

#[derive(Default)]
struct KnownNames {
    sets: HashMap<NameSet, &'static NamedValues>,
    count: usize,
}

static KNOWN: LazyLock<Mutex<KnownNames>> = LazyLock::new(Mutex::default);

/// The names of the values of a field; the same ones for the same metadata. `None` if they are
/// too many.
pub(super) fn intern_names(name: &str, mappings: &Arc<[Mapping]>) -> Option<&'static NamedValues> {
    if mappings.len() > MAX_NAMES_IN_SET {
        return None;
    }
    let single = mappings.iter().filter(|it| it.range.0 == it.range.1);
    let values = single.filter_map(|mapping| {
        // As arguments have negative numbers.
        let value = match i32::try_from(mapping.range.0) {
            Ok(value) if value < 0 => u64::from(value.cast_unsigned()),
            _ => u64::try_from(mapping.range.0).ok()?,
        };
        Some((value, mapping.name.clone()))
    });
    let key = (name.to_owned(), values.collect::<Vec<_>>());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(names) = known.sets.get(&key) {
        return Some(names);
    }
    known.count += key.1.len() + 1;
    if known.count > MAX_NAMES {
        return None;
    }
    let values: Vec<(u64, &'static str)> = key
        .1
        .iter()
        .map(|(value, name)| (*value, &*name.clone().leak()))
        .collect();
    let names: &'static NamedValues = Box::leak(Box::new(NamedValues {
        name: name.to_owned().leak(),
        bits: false,
        values: values.leak(),
        unnamed: UnnamedFormat::Number,
    }));
    known.sets.insert(key, names);
    Some(names)
}
