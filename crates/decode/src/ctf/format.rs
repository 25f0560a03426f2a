//! The traces as a format of the registry.

use super::trace_set::{self, OpenTrace, TraceFiles};
use super::{info, no_event, stream, zephyr};
use crate::container::MemoryImage;
use crate::container::archive::{ArchivedFile, METADATA, metadata_first, tar_files};
use crate::format::detection::ProbeWindow;
use crate::format::{FormatDefinition, FormatInput};
use crate::mapping::MappingOptions;
use crate::packet_stream::RawInput;
use crate::{BufferChoice, DecodeError, DecodedRecording};
use crate::{Format, FormatDescription};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use schemars::{Schema, SchemaGenerator};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The Common Trace Format.
pub const FORMAT: Format = Format::new(&CommonTraceFormat);

struct CommonTraceFormat;

impl FormatDefinition for CommonTraceFormat {
    fn description(&self) -> &'static FormatDescription {
        &FormatDescription {
            name: "ctf",
            title: "CTF trace",
            plural: "CTF traces",
            extensions: &["ctf"],
            shared_extensions: &["zip", "tar"],
            code: 7,
            settings: &["clock-override", "mapping", "text-encoding"],
            unrecorded_tables: &[
                FormatDescription::ACTIVE_OBJECTS,
                &["interrupts_off", "call_stack_frames", "stacks"],
            ],
            ..FormatDescription::SENT
        }
    }

    fn members_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        info::members_schema(generator)
    }

    fn probe(&self, window: &ProbeWindow<'_>) -> Option<usize> {
        window.is_start.then(|| metadata_first(window.bytes))?
    }

    fn open<'a>(
        &self,
        image: MemoryImage<'a>,
        _choice: BufferChoice,
    ) -> Result<Box<dyn FormatInput + 'a>, DecodeError> {
        Ok(Box::new(RawInput::new(image, |bytes, options, _| {
            decode(bytes, &options.mapping)
        })))
    }
}

/// Decodes an archive of traces, or a stream of Zephyr.
fn decode(bytes: &[u8], options: &MappingOptions) -> Result<DecodedRecording, DecodeError> {
    if metadata_first(bytes).is_none() {
        return zephyr::decode(bytes, options);
    }
    let mut diagnostics = Diagnostics::default();
    let mut open = Vec::new();
    let mut first_problem = None;
    let (files, damage) = tar_files(bytes);
    if let Some(offset) = damage {
        let message = "the archive is damaged or cut: files may be missing";
        let diagnostic = Diagnostic::new(DiagnosticKind::Truncated, message);
        diagnostics.push(diagnostic.at_offset(offset as u64));
    }
    let (mut traces, unread) = traces(bytes, &files);
    diagnostics.extend(unread_diagnostic(&unread));
    diagnostics.extend(remove_copies(&mut traces));
    for files in traces {
        let folder = files.folder.clone();
        match OpenTrace::new(files) {
            Ok(trace) => open.push(trace),
            Err(problem) => {
                let problem = match folder.is_empty() {
                    true => problem,
                    false => format!("{}: {problem}", Printable::text(&folder)),
                };
                let message = format!("a trace is not read: {problem}");
                diagnostics.push(Diagnostic::new(DiagnosticKind::BadRecord, message));
                first_problem.get_or_insert(problem);
            }
        }
    }
    if open.is_empty() {
        return Err(no_event(bytes.len() as u64, first_problem.as_deref()));
    }
    trace_set::decode(&open, options, diagnostics)
}

/// Removes streams that are the whole or the beginning of another one, whose events would count
/// twice.
fn remove_copies(traces: &mut [TraceFiles<'_>]) -> Vec<Diagnostic> {
    let mut streams = Vec::new();
    for (number, trace) in traces.iter().enumerate() {
        for (at, (name, bytes)) in trace.streams.iter().enumerate() {
            let path = format!("{}{name}", trace.folder);
            streams.push((*bytes, Reverse((number, at)), path));
        }
    }
    // A beginning is followed by what continues it, a copy by the first of its kind.
    streams.sort_unstable();
    let mut copies = BTreeSet::new();
    let mut diagnostics = Vec::new();
    for ((part, place, copy), (whole, _, original)) in streams.iter().zip(streams.iter().skip(1)) {
        if !part.is_empty() && whole.starts_with(part) {
            copies.insert(place.0);
            let [copy, original] = [copy, original].map(|path| Printable::text(path));
            let message = format!("the stream `{copy}` is a copy of `{original}`: it is not read");
            let diagnostic = Diagnostic::new(DiagnosticKind::UnreadBytes, message);
            diagnostics.push(diagnostic.with_count(part.len() as u64));
        }
    }
    for (number, trace) in traces.iter_mut().enumerate() {
        let mut places = (0..).map(|at| (number, at));
        let is_kept = |_: &_| places.next().is_some_and(|place| !copies.contains(&place));
        trace.streams.retain(is_kept);
    }
    diagnostics
}

/// Streams without metadata.
fn unread_diagnostic(paths: &[&str]) -> Option<Diagnostic> {
    let (first, more) = paths.split_first()?;
    let first = Printable::text(first);
    let message = match more.len() as u64 {
        0 => format!("the stream `{first}` is not read: its folder has no `{METADATA}`"),
        more => {
            let more = pluralise(more, "more stream", "more streams");
            format!(
                "the stream `{first}` and {more} are not read: their folders have no `{METADATA}`"
            )
        }
    };
    let diagnostic = Diagnostic::new(DiagnosticKind::BadRecord, message);
    Some(diagnostic.with_count(paths.len() as u64))
}

/// The traces in an archive: a folder with metadata is one. Also the paths of streams in other
/// folders.
fn traces<'b, 'f>(
    bytes: &'b [u8],
    files: &'f [ArchivedFile],
) -> (Vec<TraceFiles<'b>>, Vec<&'f str>) {
    let content = |range: &std::ops::Range<usize>| bytes.get(range.clone()).unwrap_or_default();
    let split = |path: &str| match path.rsplit_once('/') {
        Some((folder, name)) => (format!("{folder}/"), name.to_owned()),
        None => (String::new(), path.to_owned()),
    };
    let mut traces: Vec<TraceFiles<'b>> = Vec::new();
    for file in files {
        let (folder, name) = split(&file.path);
        if name == METADATA {
            traces.push(TraceFiles {
                folder,
                metadata: content(&file.range),
                streams: Vec::new(),
            });
        }
    }
    let mut unread = Vec::new();
    for file in files {
        let (folder, name) = split(&file.path);
        let is_hidden = name.starts_with('.') || name == METADATA || file.range.is_empty();
        if is_hidden {
            continue;
        }
        let content = content(&file.range);
        match traces.iter_mut().find(|trace| trace.folder == folder) {
            Some(trace) => trace.streams.push((name, content)),
            // Tracers put indexes, and users notes, in folders without metadata.
            None if stream::is_packet(content) => unread.push(file.path.as_str()),
            None => {}
        }
    }
    (traces, unread)
}
