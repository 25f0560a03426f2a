//! A diagram line by line, as languages want it that lay the picture out
//! themselves.

use super::{LifelineId, Mark, Row, RowId, Sequence};
use rtoscope_trace::Party;

/// A line to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// Someone takes part.
    Lifeline {
        id: LifelineId,
        name: &'a str,
        object: bool,
    },
    /// A state that is reached, or in which the diagram begins.
    State(LifelineId, &'a str),
    /// An event goes from one to another, or to itself.
    Post {
        from: LifelineId,
        to: LifelineId,
        label: &'a str,
    },
    /// A function of another, or of its own, is called.
    Call {
        from: LifelineId,
        to: LifelineId,
        label: &'a str,
    },
    /// Something that one does for itself.
    Note(LifelineId, &'a str),
    /// An event is taken that was not posted in the line above.
    Take(LifelineId, String),
    /// A step begins.
    Begin(LifelineId),
    /// A step ends.
    End(LifelineId),
    /// What follows is another story, for all.
    Divider(&'a str),
    /// The row that follows.
    Comment(&'a Row),
}

/// Calls `write` with every line of a diagram.
pub(super) fn lines<'a>(sequence: &'a Sequence, mut write: impl FnMut(Line<'a>)) {
    let lifelines = || sequence.lifelines.iter().zip((0..).map(LifelineId));
    for (line, id) in lifelines() {
        let name = line.name.as_str();
        let object = matches!(line.party, Party::Object(_));
        write(Line::Lifeline { id, name, object });
    }
    for (line, id) in lifelines() {
        if let Some(state) = &line.state {
            write(Line::State(id, state));
        }
    }
    let mut begins = sequence.bars.iter().peekable();
    let mut ends: Vec<_> = sequence.bars.iter().map(|bar| (bar.last, bar.on)).collect();
    ends.sort_by_key(|(last, _)| *last);
    let mut ends = ends.into_iter().peekable();
    let mut ended = Vec::new();
    for (row, id) in sequence.rows.iter().zip((0..).map(RowId)) {
        write(Line::Comment(row));
        // A bar comes behind what it is for.
        let takes = match row.mark {
            Mark::Take { on, posted } => {
                let above = posted.is_some_and(|posted| posted.0 + 1 == id.0);
                // A step that ended between stands between.
                if !above || ended.contains(&on) {
                    let takes = if posted.is_some() { "takes " } else { "" };
                    write(Line::Take(on, format!("{takes}{}", row.label)));
                }
                true
            }
            _ => false,
        };
        while let Some(bar) = begins.next_if(|bar| bar.first <= id) {
            write(Line::Begin(bar.on));
        }
        if !takes {
            self::row(row, &mut write);
        }
        ended.clear();
        while let Some((_, on)) = ends.next_if(|(last, _)| *last <= id) {
            write(Line::End(on));
            ended.push(on);
        }
    }
}

fn row<'a>(row: &'a Row, write: &mut impl FnMut(Line<'a>)) {
    let label = row.label.as_str();
    match row.mark {
        Mark::Post { from, to, .. } => write(Line::Post { from, to, label }),
        Mark::Call { from, to } => write(Line::Call { from, to, label }),
        Mark::State { on } => write(Line::State(on, label)),
        Mark::Take { .. } => {}
        Mark::Timeout { on } => {
            let (from, to) = (on, on);
            write(Line::Post { from, to, label });
        }
        Mark::Defer { on }
        | Mark::TimerStart { on }
        | Mark::TimerStop { on }
        | Mark::Action { on }
        | Mark::Refused { on } => write(Line::Note(on, label)),
        Mark::Gap | Mark::Restart => write(Line::Divider(label)),
    }
}
