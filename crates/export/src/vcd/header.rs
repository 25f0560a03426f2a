//! The header of a dump.

use super::code::IdCode;
use super::names::{VcdNames, scope_name};
use crate::signals::{CommonClock, Signal, SignalKind, SignalTable, thread_state};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_trace::{Name, NoTime};
use std::io::{self, Write};

/// Writes the declarations, with explanatory comments.
pub(super) fn write(
    sources: &[&AnalyzedRecording],
    table: &SignalTable,
    clock: &CommonClock,
    names: &VcdNames,
    output: &mut Vec<u8>,
) -> io::Result<()> {
    writeln!(output, "$version rtoscope $end")?;
    for (place, source) in sources.iter().enumerate() {
        let name = names.sources.get(place).map_or("", String::as_str);
        let file = Name::new(source.info.name.as_bytes());
        comment(
            output,
            &format!("{name}: {} recording {file}", source.info.format),
        )?;
        comment(
            output,
            &format!("{name}: {}", tick_comment(place, source, clock)),
        )?;
    }
    if table.signals.iter().any(|it| it.kind == SignalKind::State) {
        let states = thread_state::names().map(|(number, name)| format!("{number} {name}"));
        let states: Vec<_> = states.collect();
        comment(output, &format!("states: {}", states.join(", ")))?;
    }
    writeln!(output, "$timescale {} $end", clock.unit())?;
    let mut open: Option<(usize, &str)> = None;
    for ((signal, name), code) in table.signals.iter().zip(&names.signals).zip(0..) {
        let wanted = (signal.source, scope_name(signal.group));
        if open != Some(wanted) {
            move_scope(output, names, open, Some(wanted))?;
            open = Some(wanted);
        }
        if !is_self_describing(signal, name) {
            comment(output, &format!("{name} is {}", signal.label))?;
        }
        let (kind, bits) = match signal.kind {
            SignalKind::Line => ("wire", 1),
            SignalKind::State => ("wire", thread_state::BITS),
            SignalKind::Number => ("integer", 32),
            SignalKind::Text => ("string", 1),
        };
        write!(output, "$var {kind} {bits} ")?;
        output.extend_from_slice(IdCode::new(code).as_bytes());
        writeln!(output, " {name} $end")?;
    }
    move_scope(output, names, open, None)?;
    writeln!(output, "$enddefinitions $end")
}

/// Closes scopes and opens others: one per recording, and one per group inside it.
fn move_scope(
    output: &mut Vec<u8>,
    names: &VcdNames,
    from: Option<(usize, &str)>,
    to: Option<(usize, &str)>,
) -> io::Result<()> {
    if from.is_some_and(|(_, group)| !group.is_empty()) {
        writeln!(output, "$upscope $end")?;
    }
    if from.map(|(source, _)| source) != to.map(|(source, _)| source) {
        if from.is_some() {
            writeln!(output, "$upscope $end")?;
        }
        if let Some(name) = to.and_then(|(source, _)| names.sources.get(source)) {
            writeln!(output, "$scope module {name} $end")?;
        }
    }
    match to {
        Some((_, group)) if !group.is_empty() => writeln!(output, "$scope module {group} $end"),
        _ => Ok(()),
    }
}

/// Describes the times of a recording.
fn tick_comment(place: usize, source: &AnalyzedRecording, clock: &CommonClock) -> String {
    let scale = source.trace.timescale();
    let Some(frequency) = scale.frequency() else {
        return match scale.no_time() {
            None | Some(NoTime::UnknownFrequency) => {
                "times are ticks, written as nanoseconds".to_owned()
            }
            Some(why) => why.to_string(),
        };
    };
    match clock.units_per_tick(place) {
        Some(units) => format!("times are exact, a tick is {units} x {}", clock.unit()),
        None => format!(
            "times are ticks of {} Hz rounded down to {}",
            frequency.hertz(),
            clock.unit()
        ),
    }
}

/// Whether the name contains the whole label.
fn is_self_describing(signal: &Signal, name: &str) -> bool {
    let blank = |letter: char| if letter == ' ' { '_' } else { letter };
    signal.label.chars().map(blank).eq(name.chars())
}

fn comment(output: &mut Vec<u8>, text: &str) -> io::Result<()> {
    // The keyword would end the comment.
    let text = text.replace("$end", "$ end");
    writeln!(output, "$comment {text} $end")
}
