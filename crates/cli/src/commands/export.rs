//! `rtoscope export`: recordings for other tools.

use super::export_page;
use crate::companion;
use anyhow::Context as _;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_command::export::{ExportArgs, ExportFormat};
use rtoscope_command::output::atomic_output;
use rtoscope_command::progress;
use rtoscope_export::table_lines::LineFormat;
use rtoscope_export::{Progress, btf, chrome, ctf, html, perfetto, sigrok, table_lines, vcd};
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(arguments: &ExportArgs) -> anyhow::Result<()> {
    arguments.check()?;
    let path = arguments.output.as_deref();
    match arguments.to {
        ExportFormat::Parquet | ExportFormat::Arrow => companion::SQL.run(),
        ExportFormat::Perfetto => atomic_output::write_file(path, |output| {
            let mut writer = perfetto::PerfettoWriter::new(output)?;
            write_each(arguments, |recording, progress| {
                writer.add_recording(recording, progress)
            })?;
            writer.finish()?;
            Ok(())
        }),
        ExportFormat::Chrome => atomic_output::write_file(path, |output| {
            let mut writer = chrome::ChromeWriter::new(output)?;
            write_each(arguments, |recording, progress| {
                writer.add_recording(recording, progress)
            })?;
            writer.finish()?;
            Ok(())
        }),
        ExportFormat::Btf => atomic_output::write_file(path, |output| {
            write_each(arguments, |recording, progress| {
                btf::write(recording, &mut *output, progress)
            })
        }),
        ExportFormat::Vcd if arguments.bits => {
            write_together(arguments, |recordings, output, progress| {
                vcd::write_signals(recordings, vcd::SignalFilter::Bits, output, progress)
            })
        }
        ExportFormat::Vcd => write_together(arguments, vcd::write),
        ExportFormat::Sigrok => write_together(arguments, sigrok::write),
        ExportFormat::Page => export_page::write(arguments),
        ExportFormat::Html => write_together(arguments, html::write),
        ExportFormat::Ctf => {
            let folder = path.context("the output is a folder; set it with --output")?;
            atomic_output::write_folder(folder, ctf::is_ours, |temporary| {
                write_ctf(arguments, temporary, folder)
            })
        }
        ExportFormat::Csv => write_tables(arguments, LineFormat::Csv),
        ExportFormat::Jsonl => write_tables(arguments, LineFormat::Json),
    }
}

/// Opens and writes the recordings one after the other, so that only one is in
/// memory.
fn write_each(
    arguments: &ExportArgs,
    mut write: impl FnMut(&AnalyzedRecording, &mut Progress<'_>) -> io::Result<()>,
) -> anyhow::Result<()> {
    for opened in arguments.open() {
        let opened = opened?;
        write_recording(&opened, |recording, progress| {
            Ok(write(recording, progress)?)
        })?;
    }
    Ok(())
}

/// Writes a recording and shows the progress.
fn write_recording(
    opened: &AnalyzedRecording,
    write: impl FnOnce(&AnalyzedRecording, &mut Progress<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let bar = progress::writing_bar(&opened.info.name, opened.trace.events.len() as u64);
    write(opened, &mut |events| bar.inc(events))?;
    bar.finish_and_clear();
    Ok(())
}

/// Opens all recordings and writes them together.
fn write_together(
    arguments: &ExportArgs,
    write: fn(&[&AnalyzedRecording], &mut dyn Write, &mut Progress<'_>) -> io::Result<()>,
) -> anyhow::Result<()> {
    atomic_output::write_file(arguments.output.as_deref(), |output| {
        let opened: Vec<_> = arguments.open().collect::<Result<_, _>>()?;
        let recordings: Vec<_> = opened.iter().collect();
        let events = opened.iter().map(|recording| recording.trace.events.len());
        let name = match opened.as_slice() {
            [recording] => recording.info.name.clone(),
            several => format!("{} recordings", several.len()),
        };
        let bar = progress::writing_bar(&name, events.sum::<usize>() as u64);
        write(&recordings, output, &mut |events| bar.inc(events))?;
        bar.finish_and_clear();
        Ok(())
    })
}

/// Writes CTF: the trace of a single recording directly into the folder, each of
/// several into a subfolder. `path` is the folder's name for messages.
fn write_ctf(arguments: &ExportArgs, folder: &Path, path: &Path) -> anyhow::Result<()> {
    let names = arguments.recording_stems();
    for (opened, name) in arguments.open().zip(&names) {
        let inner = match names.len() {
            1 => folder.to_owned(),
            // Readers would treat a file of this name as a trace's metadata.
            _ if name == "metadata" => folder.join("metadata_"),
            _ => folder.join(name),
        };
        let named = || Printable::path(&path).to_string();
        fs::create_dir_all(&inner).with_context(named)?;
        write_recording(&opened?, |recording, progress| {
            ctf::write(recording, &inner, progress).with_context(named)
        })?;
    }
    Ok(())
}

/// Writes one table into a file, or all tables into a dataset.
fn write_tables(arguments: &ExportArgs, layout: LineFormat) -> anyhow::Result<()> {
    arguments.write_tables(|file, recordings, output| {
        let tags = file.partition_tags();
        let mut writer = table_lines::TableWriter::new(output, file.table, layout, tags)?;
        for opened in recordings {
            let opened = opened?;
            if file.is_in_dataset {
                // The dataset has a progress bar of its own.
                writer.add(&opened, &mut |_| ())?;
                continue;
            }
            write_recording(&opened, |recording, progress| {
                Ok(writer.add(recording, progress)?)
            })?;
        }
        writer.finish()?;
        Ok(())
    })
}
