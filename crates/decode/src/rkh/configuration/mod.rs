//! Configuration files of a stream's records: the firmware's own header or the macros
//! in its ELF file, those of RKH's own host tool, and JSON or TOML with the keys of
//! [`CONFIGURATION_KEYS`].

mod error;
mod expression;
mod header;
mod keyed;
mod trazer;

pub use error::{ConfigurationError, ConfigurationProblem};

use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use rtoscope_wire::rkh::{FieldWidth, StreamConfiguration};

/// The contents of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedConfiguration {
    /// The configuration; settings that the file omits have the defaults of
    /// RKH's own host tool.
    pub configuration: StreamConfiguration,
    /// The size of a function's address, if the file sets it.
    pub function_width: Option<FieldWidth>,
    /// Whether checksums cover timestamps, if the file sets it.
    pub checksum_covers_timestamp: Option<bool>,
    /// The keys that the file sets.
    pub given: Vec<&'static str>,
}

/// The format of a configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileForm {
    Json,
    Toml,
    Header,
    Trazer,
}

/// Reads a file: one that [`parse`] accepts, or the firmware's ELF file with the
/// macros of its configuration, as `-g3` adds them.
pub fn read(bytes: &[u8], name: &str) -> Result<ParsedConfiguration, ConfigurationError> {
    match header::read_elf(bytes) {
        Ok(Some(parsed)) => parsed,
        Ok(None) => parse(bytes, name),
        Err(error) => Err(ConfigurationError::new(
            None,
            ConfigurationProblem::Syntax(error.to_string()),
        )),
    }
}

/// Parses a text: the firmware's `rkhcfg.h`, a `trazer.cfg`, JSON or TOML; `name`
/// is its name, whose extension may determine the format.
pub fn parse(text: &[u8], name: &str) -> Result<ParsedConfiguration, ConfigurationError> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let valid = text.get(..error.valid_up_to()).unwrap_or_default();
        let lines = valid.iter().filter(|byte| **byte == b'\n').count();
        ConfigurationError::new(Some(lines as u64 + 1), ConfigurationProblem::NotText)
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match detect_form(text, name) {
        FileForm::Json => keyed::json(text),
        FileForm::Toml => keyed::toml(text),
        FileForm::Header => header::parse(text),
        FileForm::Trazer => trazer::parse(text),
    }
}

fn detect_form(text: &str, name: &str) -> FileForm {
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("json") => FileForm::Json,
        Some("toml") => FileForm::Toml,
        Some("cfg") => FileForm::Trazer,
        Some("h" | "hpp") => FileForm::Header,
        _ if text.trim_start().starts_with('{') => FileForm::Json,
        _ if is_toml(text) => FileForm::Toml,
        _ if header::is_header(text) => FileForm::Header,
        _ => FileForm::Trazer,
    }
}

/// Whether the first non-comment line is one of rtoscope's keys or a table
/// header.
fn is_toml(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        let key = line.split('=').next().unwrap_or_default().trim();
        line.starts_with('[') || CONFIGURATION_KEYS.iter().any(|known| known.name == key)
    })
}

#[cfg(test)]
mod tests;
