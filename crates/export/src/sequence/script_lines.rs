//! A diagram as a sequence of lines, for languages that lay it out themselves.

use super::{DiagramRow, LifelineId, RowId, RowKind, SequenceDiagram};
use rtoscope_trace::Endpoint;

/// A line of the diagram. Its text is escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ScriptLine {
    /// A participant that is an active object.
    Object(LifelineId, String),
    /// Another participant.
    Actor(LifelineId, String),
    /// A state that is entered, or the state at the start of the diagram.
    State(LifelineId, String),
    /// An event goes from one lifeline to another, or to itself.
    Post([LifelineId; 2], String),
    /// A call of a function of another lifeline, or of its own.
    Call([LifelineId; 2], String),
    /// A note on a lifeline.
    Note(LifelineId, String),
    /// An event is taken that the line above does not post.
    LateTake(LifelineId, String),
    /// A step begins.
    Begin(LifelineId),
    /// A step ends.
    End(LifelineId),
    /// A divider across all lifelines.
    Divider(String),
    /// A comment about the following row, which needs no escapes.
    Comment(String),
}

/// Calls `write` with every line of a diagram.
pub(super) fn write_lines(
    sequence: &SequenceDiagram,
    escape: fn(&str) -> String,
    mut write: impl FnMut(ScriptLine),
) {
    let lifelines = || sequence.lifelines.iter().zip((0..).map(LifelineId));
    for (line, id) in lifelines() {
        let name = escape(&line.name);
        write(match line.endpoint {
            Endpoint::Object(_) => ScriptLine::Object(id, name),
            _ => ScriptLine::Actor(id, name),
        });
    }
    for (line, id) in lifelines() {
        if let Some(state) = &line.state {
            write(ScriptLine::State(id, escape(state)));
        }
    }
    let mut begins = sequence.bars.iter().peekable();
    let mut ends: Vec<_> = sequence.bars.iter().map(|bar| (bar.last, bar.on)).collect();
    ends.sort_by_key(|(last, _)| *last);
    let mut ends = ends.into_iter().peekable();
    let mut ended = Vec::new();
    for (row, id) in sequence.rows.iter().zip((0..).map(RowId)) {
        let comment = format!("{}, event {}", row.time_text, row.number);
        write(ScriptLine::Comment(comment));
        // A bar starts after the row that it is for.
        if let RowKind::Take { on, post_row } = row.kind {
            let above = post_row.is_some_and(|posted| posted.0 + 1 == id.0);
            // The end of a step in between separates them.
            if !above || ended.contains(&on) {
                let takes = if post_row.is_some() { "takes " } else { "" };
                let label = escape(&format!("{takes}{}", row.label));
                write(ScriptLine::LateTake(on, label));
            }
        }
        while let Some(bar) = begins.next_if(|bar| bar.first <= id) {
            write(ScriptLine::Begin(bar.on));
        }
        if let Some(line) = row_line(row, escape(&row.label)) {
            write(line);
        }
        ended.clear();
        while let Some((_, on)) = ends.next_if(|(last, _)| *last <= id) {
            write(ScriptLine::End(on));
            ended.push(on);
        }
    }
    if let Some(note) = sequence.skipped_rows_note() {
        write(ScriptLine::Divider(escape(&note)));
    }
}

/// The line of a row, unless it is the start of a step.
fn row_line(row: &DiagramRow, label: String) -> Option<ScriptLine> {
    Some(match row.kind {
        RowKind::Post { from, to, .. } => ScriptLine::Post([from, to], label),
        RowKind::Call { from, to } => ScriptLine::Call([from, to], label),
        RowKind::State { on } => ScriptLine::State(on, label),
        RowKind::Take { .. } => return None,
        RowKind::Timeout { on } => ScriptLine::Post([on, on], label),
        RowKind::Defer { on }
        | RowKind::TimerStart { on }
        | RowKind::TimerStop { on }
        | RowKind::Action { on }
        | RowKind::Refused { on } => ScriptLine::Note(on, label),
        RowKind::Gap | RowKind::Restart => ScriptLine::Divider(label),
    })
}
