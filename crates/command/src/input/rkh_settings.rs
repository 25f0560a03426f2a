//! The settings of RKH streams.

use anyhow::Context as _;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rtoscope_decode::Format;
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::files;
use rtoscope_decode::rkh::{self, configuration};
use rtoscope_trace::printable::Printable;
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use rtoscope_wire::rkh::{Dialect, StreamConfiguration};
use std::path::{Path, PathBuf};

const HELP_HEADING: &str = "RKH streams";

/// The settings of RKH streams.
#[derive(Clone, Args)]
pub(super) struct RkhSettings {
    /// Configuration of the target's trace, if the stream does not contain it: the
    /// firmware's rkhcfg.h, its ELF file with macros (-g3), a trazer.cfg, or JSON or
    /// TOML with all settings
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "guess",
        help_heading = HELP_HEADING
    )]
    rkh_config: Option<PathBuf>,

    /// One setting of the configuration, such as fun=2 (size of a function address
    /// in bytes, which no stream contains); repeatable
    #[arg(
        long,
        value_name = "KEY=VALUE",
        value_parser = parse_setting,
        conflicts_with = "guess",
        help_heading = HELP_HEADING
    )]
    rkh_set: Vec<(String, u32)>,

    /// First version of RKH with the same records, if the stream does not contain
    /// the version
    #[arg(
        long,
        value_name = "VERSION",
        value_parser = dialect_parser(),
        conflicts_with = "guess",
        help_heading = HELP_HEADING
    )]
    rkh_version: Option<Dialect>,

    /// Guess the configuration from the bytes of the stream
    #[arg(long, value_name = "YES", help_heading = HELP_HEADING)]
    guess: Option<bool>,

    /// Split frames that lost the flag between them
    #[arg(long, value_name = "YES", help_heading = HELP_HEADING)]
    split_glued: Option<bool>,
}

impl RkhSettings {
    pub(super) fn config_file(&self) -> Option<&Path> {
        self.rkh_config.as_deref()
    }

    /// The format of input that fits no other, if a setting describes a stream.
    pub(super) fn implied_format(&self) -> Option<Format> {
        let is_set = self.guess()
            || self.rkh_config.is_some()
            || self.rkh_version.is_some()
            || !self.rkh_set.is_empty()
            || self.split_glued.is_some();
        is_set.then_some(rkh::FORMAT)
    }

    fn guess(&self) -> bool {
        self.guess.unwrap_or(false)
    }

    pub(super) fn options(&self, clock: &ClockOptions) -> anyhow::Result<rkh::RkhOptions> {
        let (mut function, mut covers) = (None, None);
        let mut given = None;
        let mut keys = Vec::new();
        if let Some(path) = &self.rkh_config {
            let name = Printable::path(&path).to_string();
            let text = files::read(path).with_context(|| name.clone())?;
            let file = configuration::read(&text, &name).with_context(|| name.clone())?;
            function = file.function_width;
            covers = file.checksum_covers_timestamp;
            keys = file.given;
            given = Some(file.configuration);
        }
        if !self.rkh_set.is_empty() {
            let configuration = given.get_or_insert_default();
            for (key, value) in &self.rkh_set {
                configuration.set(key, *value)?;
            }
            let set = CONFIGURATION_KEYS.iter().map(|key| key.name);
            keys.extend(set.filter(|name| self.rkh_set.iter().any(|(key, _)| key == name)));
            let is_set = |name: &str| self.rkh_set.iter().any(|(key, _)| key == name);
            if is_set("fun") {
                function = Some(configuration.function);
            }
            if is_set("chkts") {
                covers = Some(configuration.checksum_covers_timestamp);
            }
        }
        if let Some(dialect) = self.rkh_version {
            given.get_or_insert_default().dialect = dialect;
        }
        Ok(rkh::RkhOptions {
            configuration: given,
            given: keys,
            function_width: function,
            checksum_covers_timestamp: covers,
            clock_frequency: clock.frequency,
            overrides_frequency: clock.overrides_frequency,
            guess: self.guess(),
            split_glued: self.split_glued.unwrap_or(false),
            ..rkh::RkhOptions::default()
        })
    }
}

/// Parses a version by the name of its dialect.
fn dialect_parser() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL.map(Dialect::name);
    PossibleValuesParser::new(names).try_map(|name| Dialect::from_name(&name).ok_or("no version"))
}

/// Parses and checks a setting and its value.
fn parse_setting(text: &str) -> Result<(String, u32), String> {
    let expected = || "expected a setting such as fun=2".to_owned();
    let (key, value) = text.split_once('=').ok_or_else(expected)?;
    let value = value.trim().parse().map_err(|_| expected())?;
    let mut any = StreamConfiguration::default();
    let checked = any.set(key.trim(), value);
    checked.map_err(|error| error.to_string())?;
    Ok((key.trim().to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked() {
        assert_eq!(parse_setting("fun=2"), Ok(("fun".to_owned(), 2)));
        for bad in ["fun", "fun=3", "fun=x", "nseq=2", "width=4", "=1"] {
            assert!(parse_setting(bad).is_err(), "{bad}");
        }
    }
}
