//! Spans as starts and ends in time order.

use rtoscope_trace::Ticks;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A span; `line` is the index of its signal.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineSpan {
    pub(super) start: Ticks,
    pub(super) end: Ticks,
    pub(super) line: u32,
}

/// The edges of spans that are sorted by start. Only the open spans are in memory.
pub(super) struct SpanEdges<'a> {
    spans: Box<dyn Iterator<Item = LineSpan> + 'a>,
    next: Option<LineSpan>,
    ends: BinaryHeap<Reverse<(u64, u32)>>,
}

/// The start or end of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SpanEdge {
    pub(super) time: Ticks,
    pub(super) line: u32,
    pub(super) is_start: bool,
}

impl<'a> SpanEdges<'a> {
    pub(super) fn new(mut spans: impl Iterator<Item = LineSpan> + 'a) -> Self {
        Self {
            next: spans.next(),
            spans: Box::new(spans),
            ends: BinaryHeap::new(),
        }
    }

    /// The next edge. An end precedes a simultaneous start, so that adjacent spans
    /// stay separate.
    pub(super) fn peek(&self) -> Option<SpanEdge> {
        let end = self.ends.peek().map(|Reverse((time, line))| SpanEdge {
            time: Ticks(*time),
            line: *line,
            is_start: false,
        });
        let start = self.next.map(|next| SpanEdge {
            time: next.start,
            line: next.line,
            is_start: true,
        });
        match (end, start) {
            (Some(end), Some(start)) if start.time < end.time => Some(start),
            (end, start) => end.or(start),
        }
    }
}

impl Iterator for SpanEdges<'_> {
    type Item = SpanEdge;

    fn next(&mut self) -> Option<SpanEdge> {
        let edge = self.peek()?;
        if edge.is_start {
            if let Some(span) = self.next {
                let end = span.end.max(span.start);
                self.ends.push(Reverse((end.0, span.line)));
            }
            self.next = self.spans.next();
        } else {
            self.ends.pop();
        }
        Some(edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_ordered() {
        let spans = [(0, 9, 0), (2, 4, 1), (4, 4, 1), (4, 6, 2), (9, 9, 0)];
        let spans = spans.map(|(start, end, line)| LineSpan {
            start: Ticks(start),
            end: Ticks(end),
            line,
        });
        let edges = SpanEdges::new(spans.into_iter());
        let edges: Vec<_> = edges
            .map(|edge| (edge.time.0, edge.line, edge.is_start))
            .collect();
        let expected = [
            (0, 0, true),
            (2, 1, true),
            (4, 1, false),
            (4, 1, true),
            (4, 1, false),
            (4, 2, true),
            (6, 2, false),
            (9, 0, false),
            (9, 0, true),
            (9, 0, false),
        ];
        assert_eq!(edges, expected);
    }
}
