//! A diagram as a sequence of lines, for languages that lay it out themselves.

use super::{DiagramRow, LifelineId, RowId, RowKind, SequenceDiagram};
use rtoscope_trace::Endpoint;

/// A line of the diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ScriptLine<'a> {
    /// A participant.
    Lifeline {
        id: LifelineId,
        name: &'a str,
        object: bool,
    },
    /// A state that is entered, or the state at the start of the diagram.
    State(LifelineId, &'a str),
    /// An event goes from one lifeline to another, or to itself.
    Post {
        from: LifelineId,
        to: LifelineId,
        label: &'a str,
    },
    /// A call of a function of another lifeline, or of its own.
    Call {
        from: LifelineId,
        to: LifelineId,
        label: &'a str,
    },
    /// A note on a lifeline.
    Note(LifelineId, &'a str),
    /// An event is taken that the line above does not post.
    LateTake(LifelineId, String),
    /// A step begins.
    Begin(LifelineId),
    /// A step ends.
    End(LifelineId),
    /// A divider across all lifelines.
    Divider(&'a str),
    /// A comment about the following row.
    Comment(&'a DiagramRow),
}

/// Calls `write` with every line of a diagram.
pub(super) fn write_lines<'a>(
    sequence: &'a SequenceDiagram,
    mut write: impl FnMut(ScriptLine<'a>),
) {
    let lifelines = || sequence.lifelines.iter().zip((0..).map(LifelineId));
    for (line, id) in lifelines() {
        let name = line.name.as_str();
        let object = matches!(line.endpoint, Endpoint::Object(_));
        write(ScriptLine::Lifeline { id, name, object });
    }
    for (line, id) in lifelines() {
        if let Some(state) = &line.state {
            write(ScriptLine::State(id, state));
        }
    }
    let mut begins = sequence.bars.iter().peekable();
    let mut ends: Vec<_> = sequence.bars.iter().map(|bar| (bar.last, bar.on)).collect();
    ends.sort_by_key(|(last, _)| *last);
    let mut ends = ends.into_iter().peekable();
    let mut ended = Vec::new();
    for (row, id) in sequence.rows.iter().zip((0..).map(RowId)) {
        write(ScriptLine::Comment(row));
        // A bar starts after the row that it is for.
        let takes = match row.kind {
            RowKind::Take {
                on,
                post_row: posted,
            } => {
                let above = posted.is_some_and(|posted| posted.0 + 1 == id.0);
                // The end of a step in between separates them.
                if !above || ended.contains(&on) {
                    let takes = if posted.is_some() { "takes " } else { "" };
                    write(ScriptLine::LateTake(on, format!("{takes}{}", row.label)));
                }
                true
            }
            _ => false,
        };
        while let Some(bar) = begins.next_if(|bar| bar.first <= id) {
            write(ScriptLine::Begin(bar.on));
        }
        if !takes {
            self::write_row(row, &mut write);
        }
        ended.clear();
        while let Some((_, on)) = ends.next_if(|(last, _)| *last <= id) {
            write(ScriptLine::End(on));
            ended.push(on);
        }
    }
}

fn write_row<'a>(row: &'a DiagramRow, write: &mut impl FnMut(ScriptLine<'a>)) {
    let label = row.label.as_str();
    match row.kind {
        RowKind::Post { from, to, .. } => write(ScriptLine::Post { from, to, label }),
        RowKind::Call { from, to } => write(ScriptLine::Call { from, to, label }),
        RowKind::State { on } => write(ScriptLine::State(on, label)),
        RowKind::Take { .. } => {}
        RowKind::Timeout { on } => {
            let (from, to) = (on, on);
            write(ScriptLine::Post { from, to, label });
        }
        RowKind::Defer { on }
        | RowKind::TimerStart { on }
        | RowKind::TimerStop { on }
        | RowKind::Action { on }
        | RowKind::Refused { on } => write(ScriptLine::Note(on, label)),
        RowKind::Gap | RowKind::Restart => write(ScriptLine::Divider(label)),
    }
}
