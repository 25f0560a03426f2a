//! The text logs beside a recording.

use super::DecodeArgs;
use super::quantity::parse_duration;
use anyhow::Context as _;
use clap::Args;
use rtoscope_decode::files;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::text_log::{TextLogFormat, TextLogOptions};
use rtoscope_trace::{TextEncoding, TextLog, Trace};
use std::io::BufReader;
use std::path::{Path, PathBuf};

pub(super) const HELP_HEADING: &str = "Text logs";

/// Text logs on the time of a trace.
#[derive(Args)]
pub struct TextLogArgs {
    /// Text log with times of the trace's counter or since its start; repeatable
    #[arg(
        id = "text_log",
        long = "text-log",
        value_name = "FILE",
        help_heading = HELP_HEADING
    )]
    files: Vec<PathBuf>,
}

/// The settings of text logs.
#[derive(Clone, Args)]
pub(super) struct TextLogSettings {
    /// Format of the lines: zephyr, zephyr-ticks, defmt, esp-idf, linux, or a pattern such as
    /// '{ticks:x} {level} {text}'; default: detected
    #[arg(long, value_name = "FORMAT", help_heading = HELP_HEADING)]
    text_log_format: Option<TextLogFormat>,

    /// What the trace's counter shows, as a time, at time 0 of the log; may be negative
    #[arg(
        long,
        value_name = "TIME",
        value_parser = parse_offset,
        allow_hyphen_values = true,
        help_heading = HELP_HEADING
    )]
    text_log_offset: Option<i64>,
}

impl TextLogSettings {
    pub(super) fn options(&self, encoding: TextEncoding) -> TextLogOptions {
        TextLogOptions {
            format: self.text_log_format.clone(),
            offset_ns: self.text_log_offset.unwrap_or_default(),
            encoding,
        }
    }
}

impl TextLogArgs {
    /// Whether no log is named.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// Reads the logs and places their lines on the time of a trace.
    ///
    /// # Errors
    ///
    /// If one cannot be read or its format is not known.
    pub fn read(&self, decode: &DecodeArgs, trace: &Trace) -> anyhow::Result<Vec<TextLog>> {
        let options = decode.text_log_options();
        let logs = self.files.iter().map(|path| {
            let log = files::open(path).map_err(Into::into).and_then(|file| {
                let name = path.to_string_lossy();
                TextLog::read(name, BufReader::new(file), &options, trace)
            });
            log.with_context(|| Printable::path(path).to_string())
        });
        logs.collect()
    }

    /// Prints a hint on standard error for each log with diagnostics that the command does
    /// not show.
    pub fn hint_at_diagnostics(&self, logs: &[TextLog]) {
        for log in logs {
            let name = Printable::text(&log.name);
            let untimed = log.len() - log.timed_len();
            if untimed > 0 {
                let lines = pluralise(untimed as u64, "line has", "lines have");
                crate::message!("{name}: {lines} no known time; run `rtoscope info` for details");
            } else if !log.diagnostics.is_empty() {
                let count = log.diagnostics.iter().count() as u64;
                let problems = pluralise(count, "problem", "problems");
                crate::message!("{name}: {problems}; run `rtoscope info` for details");
            }
        }
    }
}

fn parse_offset(text: &str) -> Result<i64, String> {
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, text),
    };
    if size == "0" {
        return Ok(0);
    }
    let nanoseconds = parse_duration(size)?.as_nanos();
    let offset = i64::try_from(nanoseconds).map_err(|_| "the time is too long".to_owned())?;
    Ok(sign * offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_have_a_sign() {
        assert_eq!(parse_offset("-1.5ms"), Ok(-1_500_000));
        assert_eq!(parse_offset("2s"), Ok(2_000_000_000));
        assert_eq!(parse_offset("0"), Ok(0));
        assert!(parse_offset("5").is_err() && parse_offset("--1s").is_err());
    }
}
