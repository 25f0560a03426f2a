//! `rtoscope export`: recordings for other tools.

use crate::companion;
use anyhow::Context as _;
use rtoscope_command::export::{ExportArguments, Target};
use rtoscope_command::output::whole;
use rtoscope_command::{Opened, progress};
use rtoscope_export::lines::Layout;
use rtoscope_export::{Progress, chrome, ctf, html, lines, perfetto, sigrok, vcd};
use rtoscope_tables::Source;
use rtoscope_trace::printable::Printable;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(arguments: &ExportArguments) -> anyhow::Result<()> {
    arguments.check()?;
    let path = arguments.output.as_deref();
    match arguments.to {
        Target::Parquet | Target::Arrow => companion::run(),
        Target::Perfetto => whole::file(path, |output| {
            let mut writer = perfetto::Writer::new(output)?;
            each(arguments, |source, progress| writer.add(source, progress))?;
            writer.finish()?;
            Ok(())
        }),
        Target::Chrome => whole::file(path, |output| {
            let mut writer = chrome::Writer::new(output)?;
            each(arguments, |source, progress| writer.add(source, progress))?;
            writer.finish()?;
            Ok(())
        }),
        Target::Vcd if arguments.bits => together(arguments, |sources, output, progress| {
            vcd::write_signals(sources, vcd::Signals::Bits, output, progress)
        }),
        Target::Vcd => together(arguments, vcd::write),
        Target::Sigrok => together(arguments, sigrok::write),
        Target::Html => together(arguments, html::write),
        Target::Ctf => {
            let folder = path.context("a folder is written; name it with --output")?;
            whole::folder(folder, ctf::is_ours, |temporary| {
                common_trace_format(arguments, temporary, folder)
            })
        }
        Target::Csv => tables(arguments, Layout::Csv),
        Target::Jsonl => tables(arguments, Layout::Json),
    }
}

/// Opens the recordings, one after the other, and writes each while it is open.
fn each(
    arguments: &ExportArguments,
    mut write: impl FnMut(&Source<'_>, &mut Progress<'_>) -> io::Result<()>,
) -> anyhow::Result<()> {
    for opened in arguments.open() {
        let opened = opened?;
        written(&opened, |source, progress| Ok(write(source, progress)?))?;
    }
    Ok(())
}

/// Writes a recording, and shows how far that is.
fn written(
    opened: &Opened,
    write: impl FnOnce(&Source<'_>, &mut Progress<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let source = opened.source();
    let bar = progress::writing(source.name, source.view.trace.events.len() as u64);
    write(&source, &mut |events| bar.inc(events))?;
    bar.finish_and_clear();
    Ok(())
}

/// Opens all recordings, and writes them at once.
fn together(
    arguments: &ExportArguments,
    write: fn(&[Source<'_>], &mut dyn Write, &mut Progress<'_>) -> io::Result<()>,
) -> anyhow::Result<()> {
    whole::file(arguments.output.as_deref(), |output| {
        let opened: Vec<_> = arguments.open().collect::<Result<_, _>>()?;
        let sources: Vec<_> = opened.iter().map(Opened::source).collect();
        let events = sources.iter().map(|source| source.view.trace.events.len());
        let name = match sources.as_slice() {
            [source] => source.name.to_owned(),
            several => format!("{} recordings", several.len()),
        };
        let bar = progress::writing(&name, events.sum::<usize>() as u64);
        write(&sources, output, &mut |events| bar.inc(events))?;
        bar.finish_and_clear();
        Ok(())
    })
}

/// One recording's trace lies in the folder itself, those of several in folders
/// of it. `path` is how the user knows the folder.
fn common_trace_format(
    arguments: &ExportArguments,
    folder: &Path,
    path: &Path,
) -> anyhow::Result<()> {
    let names = arguments.names();
    for (opened, name) in arguments.open().zip(&names) {
        let inner = match names.len() {
            1 => folder.to_owned(),
            // Readers would take that for the text of a trace.
            _ if name == "metadata" => folder.join("metadata_"),
            _ => folder.join(name),
        };
        let named = || Printable::path(&path).to_string();
        fs::create_dir_all(&inner).with_context(named)?;
        written(&opened?, |source, progress| {
            ctf::write(source, &inner, progress).with_context(named)
        })?;
    }
    Ok(())
}

/// One table into a file, or all into a dataset.
fn tables(arguments: &ExportArguments, layout: Layout) -> anyhow::Result<()> {
    arguments.write_tables(|table, tags, recordings, output| {
        let mut writer = lines::Writer::new(output, table, layout, tags)?;
        for opened in recordings {
            written(&*opened?, |source, progress| {
                Ok(writer.add(source, progress)?)
            })?;
        }
        writer.finish()?;
        Ok(())
    })
}
