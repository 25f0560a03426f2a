//! The settings of ThreadX trace buffers.

use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::files;
use rtoscope_decode::rkh;
use rtoscope_decode::systemview::{Descriptions, SystemViewOptions};
use rtoscope_decode::threadx::{self, CoreBits, NetxDialect, custom_events};
use rtoscope_decode::{DecodeOptions, TextEncoding};
use rtoscope_symbols::Firmware;
use rtoscope_trace::EventKind;
use rtoscope_trace::printable::Printable;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The settings of ThreadX trace buffers.
#[derive(Clone, Args)]
pub(super) struct ThreadXSettings {
    /// Whether event numbers include a core number (ThreadX SMP)
    #[arg(
        long,
        value_name = "HOW",
        default_value = "detect",
        help_heading = "Events"
    )]
    core_bits: CoreBitsArg,

    /// Network stack, which defines events 441 to 448 and 469
    #[arg(
        long,
        value_name = "STACK",
        default_value = "duo",
        help_heading = "Events"
    )]
    netx: NetxArg,

    /// Definitions of the application's own events: TraceX's .trxc or TOML, or a .txt with
    /// SystemView's descriptions of calls; repeatable
    #[arg(long, value_name = "FILE", help_heading = "Events")]
    custom_events: Vec<PathBuf>,

    /// Encoding of names and lines of text logs that are not UTF-8: gbk, shift_jis, windows-1251, latin1 …
    #[arg(long, value_name = "NAME", help_heading = "Events")]
    text_encoding: Option<TextEncoding>,
}

/// Whether a file describes the calls of an operating system.
fn is_description(path: &Path) -> bool {
    path.extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("txt"))
}

#[derive(Clone, Copy, ValueEnum)]
enum CoreBitsArg {
    /// Detect it from the events
    Detect,
    /// Yes: bits 24 to 31 are the core
    Smp,
    /// No: all bits are the event number
    SingleCore,
}

#[derive(Clone, Copy, ValueEnum)]
enum NetxArg {
    /// NetX Duo
    Duo,
    /// NetX, the discontinued predecessor
    Legacy,
}

impl ThreadXSettings {
    /// The files that these settings name.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.custom_events.iter().map(PathBuf::as_path)
    }

    /// The declarations of the application's own records in RKH streams.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or a declaration is invalid.
    pub(super) fn own_records(&self) -> anyhow::Result<rkh::OwnRecords> {
        let mut records = rkh::OwnRecords::default();
        for path in self.definitions() {
            let name = || Printable::path(&path).to_string();
            let text = files::read_to_string(path).with_context(name)?;
            if !custom_events::is_trxc(text.as_bytes()) {
                records.extend_from_toml(&text).with_context(name)?;
            }
        }
        Ok(records)
    }

    /// The files with definitions of events, apart from descriptions of calls.
    fn definitions(&self) -> impl Iterator<Item = &Path> {
        self.files().filter(|path| !is_description(path))
    }

    /// The descriptions of an operating system's calls in SystemView streams; of several files,
    /// the last.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or describes no event.
    pub(super) fn descriptions(&self) -> anyhow::Result<Option<Arc<Descriptions>>> {
        let mut descriptions = None;
        for path in self.files().filter(|path| is_description(path)) {
            let name = || Printable::path(&path).to_string();
            let parsed = Descriptions::parse(&files::read_to_string(path).with_context(name)?);
            ensure!(!parsed.is_empty(), "{}: no line describes an event", name());
            descriptions = Some(Arc::new(parsed));
        }
        Ok(descriptions)
    }

    /// The encoding of texts of all formats.
    pub(super) fn text_encoding(&self) -> TextEncoding {
        self.text_encoding.unwrap_or_default()
    }

    pub(super) fn options(
        &self,
        clock: ClockOptions,
        firmware: Vec<Arc<Firmware>>,
    ) -> anyhow::Result<threadx::ThreadXOptions> {
        Ok(threadx::ThreadXOptions {
            clock,
            netx: self.dialect(),
            cores: match self.core_bits {
                CoreBitsArg::Detect => CoreBits::Detect,
                CoreBitsArg::Smp => CoreBits::Smp,
                CoreBitsArg::SingleCore => CoreBits::SingleCore,
            },
            custom: self.load_custom_events()?,
            firmware,
            text_encoding: self.text_encoding(),
        })
    }

    /// The options for the catalogue of events.
    ///
    /// # Errors
    ///
    /// If a file of definitions cannot be read or is invalid.
    pub(super) fn catalogue_options(&self) -> anyhow::Result<DecodeOptions> {
        Ok(DecodeOptions {
            threadx: threadx::ThreadXOptions {
                netx: self.dialect(),
                custom: self.load_custom_events()?,
                ..threadx::ThreadXOptions::default()
            },
            systemview: SystemViewOptions {
                descriptions: self.descriptions()?,
                ..SystemViewOptions::default()
            },
            ..DecodeOptions::default()
        })
    }

    /// The network stack.
    fn dialect(&self) -> NetxDialect {
        match self.netx {
            NetxArg::Duo => NetxDialect::Duo,
            NetxArg::Legacy => NetxDialect::Legacy,
        }
    }

    /// Reads the definitions of the application's events.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is not a valid definition.
    fn load_custom_events(&self) -> anyhow::Result<Vec<EventKind>> {
        let mut kinds = Vec::new();
        for path in self.definitions() {
            let name = || Printable::path(&path).to_string();
            let text = files::read(path).with_context(name)?;
            kinds.extend(custom_events::parse(&text).with_context(name)?);
        }
        Ok(kinds)
    }
}
