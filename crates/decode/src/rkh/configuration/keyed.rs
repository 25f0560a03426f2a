//! Configurations with rtoscope's own keys, as JSON or TOML.

use super::{ConfigurationError, ConfigurationProblem, ParsedConfiguration};
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use rtoscope_wire::rkh::{Dialect, StreamConfiguration};
use std::collections::BTreeMap;

/// The key of the settings in a larger file.
const DECODER_KEY: &str = "decoder";

/// The key of the first RKH version with these records.
const VERSION_KEY: &str = "rkh";

/// Parses the settings themselves, or a file with a member `decoder` that
/// contains them.
pub(super) fn json(text: &str) -> Result<ParsedConfiguration, ConfigurationError> {
    let whole: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        let line = Some(error.line() as u64).filter(|line| *line > 0);
        ConfigurationError::new(line, ConfigurationProblem::Syntax(error.to_string()))
    })?;
    let settings = whole.get(DECODER_KEY).unwrap_or(&whole);
    let Some(settings) = settings.as_object() else {
        return Err(ConfigurationError::new(None, ConfigurationProblem::Empty));
    };
    let settings = settings.iter().map(|(key, value)| {
        let setting = match value {
            serde_json::Value::Bool(on) => SettingValue::Number(u64::from(*on)),
            serde_json::Value::String(text) => SettingValue::Text(text.clone()),
            value => value.as_u64().map_or_else(
                || SettingValue::Other(value.to_string()),
                SettingValue::Number,
            ),
        };
        (key.clone(), setting)
    });
    from_settings(settings.collect()).map_err(|(_, problem)| ConfigurationError::new(None, problem))
}

/// Parses the settings themselves, or a table `decoder`.
pub(super) fn toml(text: &str) -> Result<ParsedConfiguration, ConfigurationError> {
    let line = |offset: usize| {
        let before = text.as_bytes().get(..offset).unwrap_or_default();
        Some(before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1)
    };
    let whole: toml::Table = toml::from_str(text).map_err(|error| {
        let line = error.span().and_then(|span| line(span.start));
        ConfigurationError::new(
            line,
            ConfigurationProblem::Syntax(error.message().to_owned()),
        )
    })?;
    let settings = whole
        .get(DECODER_KEY)
        .and_then(toml::Value::as_table)
        .unwrap_or(&whole);
    let settings = settings.iter().map(|(key, value)| {
        let number = value
            .as_integer()
            .and_then(|number| u64::try_from(number).ok());
        let setting = match value {
            toml::Value::Boolean(on) => SettingValue::Number(u64::from(*on)),
            toml::Value::String(text) => SettingValue::Text(text.clone()),
            toml::Value::Float(number) => SettingValue::Other(number.to_string()),
            value => number.map_or_else(
                || SettingValue::Other(value.type_str().to_owned()),
                SettingValue::Number,
            ),
        };
        (key.clone(), setting)
    });
    from_settings(settings.collect()).map_err(|(key, problem)| {
        let found = text.lines().zip(1..).find(|(line, _)| {
            line.split('=')
                .next()
                .is_some_and(|before| before.trim() == key)
        });
        ConfigurationError::new(found.map(|(_, line)| line), problem)
    })
}

enum SettingValue {
    Number(u64),
    Text(String),
    /// Any other value, as written in the file.
    Other(String),
}

/// The configuration with all settings, or the invalid key and its problem.
fn from_settings(
    mut settings: BTreeMap<String, SettingValue>,
) -> Result<ParsedConfiguration, (String, ConfigurationProblem)> {
    if settings.is_empty() {
        return Err((String::new(), ConfigurationProblem::Empty));
    }
    let mut configuration = StreamConfiguration::default();
    if let Some(version) = settings.remove(VERSION_KEY) {
        let text = match version {
            SettingValue::Number(number) => number.to_string(),
            SettingValue::Text(text) | SettingValue::Other(text) => text,
        };
        configuration.dialect = dialect(&text)
            .ok_or_else(|| (VERSION_KEY.to_owned(), ConfigurationProblem::Dialect(text)))?;
    }
    let (mut function, mut covers) = (None, None);
    let mut given = Vec::new();
    // In the order of `CONFIGURATION_KEYS`: whether there are timestamps must be known before
    // their size.
    for key in CONFIGURATION_KEYS {
        let Some(setting) = settings.remove(key.name) else {
            continue;
        };
        let fail = |problem| (key.name.to_owned(), problem);
        let no_number = |value| {
            fail(ConfigurationProblem::NotANumber {
                key: key.name.to_owned(),
                value,
            })
        };
        let number = match setting {
            SettingValue::Number(number) => number,
            SettingValue::Text(text) => text.trim().parse().map_err(|_| no_number(text))?,
            SettingValue::Other(text) => return Err(no_number(text)),
        };
        let value = u32::try_from(number).map_err(|_| no_number(number.to_string()))?;
        // The size of absent timestamps is 0.
        if key.name == "tssize" && value == 0 && configuration.timestamp.is_none() {
            continue;
        }
        configuration
            .set(key.name, value)
            .map_err(|error| fail(error.into()))?;
        given.push(key.name);
        match key.name {
            "fun" => function = Some(configuration.function),
            "chkts" => covers = Some(configuration.checksum_covers_timestamp),
            _ => {}
        }
    }
    if let Some(key) = settings.into_keys().next() {
        return Err((key.clone(), ConfigurationProblem::UnknownKey(key)));
    }
    Ok(ParsedConfiguration {
        configuration,
        function_width: function,
        checksum_covers_timestamp: covers,
        given,
    })
}

/// Parses the dialect of a version, e.g. `3`, `3.4.00`, `2.4.03` or `2.2.1`.
fn dialect(version: &str) -> Option<Dialect> {
    let mut parts = version.trim().trim_start_matches(['v', 'V']).split('.');
    let mut part = || match parts.next() {
        Some(part) => part.parse().ok(),
        None => Some(0_u8),
    };
    let version = (part()?, part()?, part()?);
    if parts.next().is_some() {
        return None;
    }
    Some(match version {
        (3, ..) => Dialect::V3,
        (2, 4, 5..) => Dialect::V2_4_5,
        (2, 4, 4) => Dialect::V2_4_4,
        (2, 4, 3) => Dialect::V2_4_3,
        (2, 3, _) | (2, 4, _) => Dialect::V2_3,
        (2, 0..=2, _) => Dialect::Flat,
        _ => return None,
    })
}
