//! All exports of a recording.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_export::table_lines::{self, LineFormat};
use rtoscope_export::{btf, chrome, ctf, html, perfetto, sigrok, vcd};
use rtoscope_tables::Table;
use std::io::{self, ErrorKind};

/// Exports a recording of any format in all formats, and checks the properties that need
/// no reader.
pub(crate) fn export_everything(bytes: &[u8], options: &DecodeOptions) {
    let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None);
    let Ok(recording) = content.and_then(|content| content.decode(options)) else {
        return;
    };
    let opened = AnalyzedRecording::new("fuzz", "fuzz", recording.trace, &recording.format_info);
    let source = &opened;
    all(
        |progress| perfetto::PerfettoWriter::new(io::sink())?.add_recording(source, progress),
        source,
    );
    all(|progress| common_trace_format(source, progress), source);
    all(
        |progress| vcd::write(&[source], &mut io::sink(), progress),
        source,
    );
    all(
        |progress| html::write(&[source], &mut io::sink(), progress),
        source,
    );
    all(|progress| trace_events(source, progress), source);
    all(|progress| btf::write(source, io::sink(), progress), source);
    if let Err(error) = sigrok::write(&[source], &mut io::sink(), &mut |_| ()) {
        // Its duration exceeds the maximum number of samples.
        assert!(error.kind() == ErrorKind::InvalidInput, "{error}");
    }
    for table in Table::ALL {
        for layout in [LineFormat::Csv, LineFormat::Json] {
            all(|progress| rows(source, *table, layout, progress), source);
        }
    }
}

/// An export must succeed and report the number of events that it has written.
fn all(write: impl FnOnce(&mut dyn FnMut(u64)) -> io::Result<()>, source: &AnalyzedRecording) {
    let mut events = 0;
    let written = write(&mut |more| events += more);
    written.expect("nothing to fail");
    assert_eq!(events, source.trace.events.len() as u64);
}

fn trace_events(source: &AnalyzedRecording, progress: &mut dyn FnMut(u64)) -> io::Result<()> {
    let mut writer = chrome::ChromeWriter::new(Vec::new())?;
    writer.add_recording(source, progress)?;
    let document: Vec<serde_json::Value> = serde_json::from_slice(&writer.finish()?)?;
    assert!(!document.is_empty());
    Ok(())
}

fn common_trace_format(
    source: &AnalyzedRecording,
    progress: &mut dyn FnMut(u64),
) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    ctf::write(source, folder.path(), progress)
}

fn rows(
    source: &AnalyzedRecording,
    table: Table,
    layout: LineFormat,
    progress: &mut dyn FnMut(u64),
) -> io::Result<()> {
    let mut writer = table_lines::TableWriter::new(Vec::new(), table, layout, &[])?;
    writer.add(source, progress)?;
    let text = writer.finish()?;
    let text = String::from_utf8(text).expect("text");
    if layout == LineFormat::Json {
        for line in text.lines() {
            serde_json::from_str::<serde_json::Value>(line)?;
        }
    }
    Ok(())
}
