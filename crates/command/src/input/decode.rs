//! The decoding options.

use super::ListedRecording;
use super::quantity::parse_frequency;
use super::settings::{self, FormatSettings, SettingList};
use super::symbols::SymbolArgs;
use crate::config_file::ConfigArgs;
use anyhow::bail;
use clap::Args;
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::mapping::MappingOptions;
use rtoscope_decode::{DecodeOptions, Format, btf, cswitch, logic, percepio, rkh, systemview};
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockSource;
use rtoscope_trace::text_log::TextLogOptions;
use std::collections::BTreeSet;
use std::iter;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The option of the clock's frequency.
pub(super) const CLOCK: &str = "clock";

/// The decoding options.
#[derive(Clone, Args)]
pub struct DecodeArgs {
    /// Clock frequency, such as 240MHz; converts ticks into time
    ///
    /// Also 32768 (Hz; a bare number below 1000 is refused), 25ns (per tick) or 240/us (ticks).
    #[arg(
        long,
        value_name = "SPEED",
        alias = "clock-frequency",
        value_parser = parse_frequency,
        allow_hyphen_values = true,
        help_heading = "Input"
    )]
    clock: Option<Frequency>,

    #[command(flatten)]
    settings: FormatSettings,

    #[command(flatten)]
    symbols: SymbolArgs,

    #[command(flatten)]
    config: ConfigArgs,
}

impl DecodeArgs {
    /// The clock's frequency, and where it is from, if it is given.
    pub fn given_clock(&self) -> Option<(Frequency, ClockSource)> {
        let source = match crate::is_from_config(CLOCK) {
            true => ClockSource::ProjectFile,
            false => ClockSource::CommandLine,
        };
        self.clock.map(|frequency| (frequency, source))
    }

    /// The same options for other recordings than those of the command line, whose clock can
    /// be another one.
    #[must_use]
    pub fn for_other_recordings(&self) -> Self {
        Self {
            clock: self.clock.filter(|_| crate::is_from_config(CLOCK)),
            ..self.clone()
        }
    }

    /// The same options for a recording that a project's file lists: a clock in the file is that
    /// of this recording.
    pub(super) fn for_listed(&self, recording: &ListedRecording) -> Self {
        Self {
            clock: recording.clock.or(self.clock),
            symbols: self.symbols.with(&recording.symbols),
            ..self.clone()
        }
    }

    /// Creates the options for a format, or for any format.
    pub fn options(&self, format: Option<Format>) -> anyhow::Result<DecodeOptions> {
        let SettingList {
            threadx,
            rkh,
            log,
            mapping,
            ..
        } = &self.settings.list;
        let mut rkh = rkh.options(&self.clock())?;
        rkh.text_encoding = threadx.text_encoding();
        if format.is_none_or(|format| format == rkh::FORMAT) {
            rkh.symbols = self.symbols.load_symbols(&rkh)?;
            rkh.own_records = Arc::new(threadx.own_records()?);
            rkh.firmware = self.symbols.load_available_firmware();
        }
        let firmware = match format {
            // Not every symbol file of a stream is an ELF file.
            None => self.symbols.load_available_firmware(),
            Some(format) if format == rkh::FORMAT => Vec::new(),
            Some(_) => self.symbols.load_firmware()?,
        };
        let mut options = DecodeOptions {
            threadx: threadx.options(self.clock(), firmware.clone())?,
            rkh,
            cswitch: cswitch::CswitchOptions {
                clock: self.clock(),
                firmware,
                text_encoding: threadx.text_encoding(),
                ..cswitch::CswitchOptions::default()
            },
            btf: btf::BtfOptions {
                clock: self.clock(),
                text_encoding: threadx.text_encoding(),
            },
            mapping: MappingOptions {
                clock: self.clock(),
                text_encoding: threadx.text_encoding(),
                tables: mapping.tables()?,
            },
            logic: logic::LogicOptions {
                clock: self.clock(),
                text_encoding: threadx.text_encoding(),
            },
            systemview: systemview::SystemViewOptions {
                clock: self.clock(),
                text_encoding: threadx.text_encoding(),
                descriptions: threadx.descriptions()?,
            },
            percepio: percepio::PercepioOptions::new(self.clock(), threadx.text_encoding()),
            ..DecodeOptions::default()
        };
        log.apply_to(&mut options);
        Ok(options)
    }

    /// The format of input that fits no other, if a setting implies it.
    pub(super) fn implied_format(&self) -> Option<Format> {
        self.settings.list.rkh.implied_format()
    }

    /// The input format set by the user, or implied by settings.
    ///
    /// # Errors
    ///
    /// If they contradict each other.
    pub(super) fn format(&self, explicit: Option<Format>) -> anyhow::Result<Option<Format>> {
        match (self.settings.list.log.implied_format(), explicit) {
            (None, explicit) => Ok(explicit),
            (Some(implied), explicit) if explicit.unwrap_or(implied) == implied => {
                Ok(Some(implied))
            }
            (Some(implied), _) => bail!(
                "settings log-... and counter-bits apply only to {}, but --input-format is {}",
                implied.description().plural,
                explicit.map_or("", Format::name)
            ),
        }
    }

    /// Warns of settings that do not apply to the format.
    pub(super) fn warn_of_unused(&self, format: Format, name: &str) {
        let has_symbols = self.symbols.files().next().is_some();
        let keys = self.settings.keys.iter().map(String::as_str);
        let given = keys
            .filter(|key| !settings::is_of_text_log(key))
            .chain(iter::once("symbols").filter(|_| has_symbols));
        let applicable = format.description().settings;
        let unused: Vec<_> = given.filter(|key| !applicable.contains(key)).collect();
        if !unused.is_empty() {
            let (format, settings) = (format.title_with_article(), unused.join(", "));
            let warning = format!("{name}: no effect on {format}: {settings}");
            // A query can decode a recording more than once.
            static GIVEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
            let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
            if given.insert(warning.clone()) {
                crate::message!("{warning}");
            }
        }
    }

    /// The files that these options read.
    pub fn auxiliary_files(&self) -> impl Iterator<Item = &Path> {
        let files = self.settings.files().chain(self.symbols.files());
        files.chain(self.config.file())
    }

    /// The settings of text logs.
    pub(super) fn text_log_options(&self) -> TextLogOptions {
        let SettingList {
            threadx, text_log, ..
        } = &self.settings.list;
        text_log.options(threadx.text_encoding())
    }

    /// The file with the project's declarations, if there is one.
    pub fn config_file(&self) -> Option<&Path> {
        self.config.file()
    }

    fn clock(&self) -> ClockOptions {
        self.settings.list.clock.options(self.clock)
    }
}
