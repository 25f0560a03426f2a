//! Tracks of text logs.

use super::BarClass;
use super::track::Track;
use rtoscope_trace::text_log::TextLogLine;
use rtoscope_trace::{TextLog, Trace};

/// The lines of a text log over time: the last one that was printed.
#[derive(Debug, Default)]
pub(crate) struct TextLogTrack(Vec<LineStep>);

#[derive(Debug, Clone, Copy)]
struct LineStep {
    start: u64,
    /// The last event at or before it.
    event: u32,
    class: BarClass,
    /// The index of the line among those with a time, or [`NO_LINE`].
    line: u32,
}

const NO_LINE: u32 = u32::MAX;

impl TextLogTrack {
    pub(crate) fn of(trace: &Trace, log: &TextLog) -> Self {
        let mut steps: Vec<LineStep> = Vec::new();
        let end = trace.events.span();
        let mut push = |step: LineStep| match steps.last_mut() {
            // Of several at a time, the last.
            Some(last) if last.start == step.start => *last = step,
            _ => steps.push(step),
        };
        push(LineStep {
            start: 0,
            event: 0,
            class: BarClass::NOTHING,
            line: NO_LINE,
        });
        for (line, index) in log.timed_lines().zip(0..) {
            // Those before the trace show what was printed last at its start.
            let time = line.time.map(|time| time.in_trace().unwrap_or_default());
            let Some(time) = time.filter(|time| *time <= end) else {
                continue;
            };
            push(LineStep {
                start: time.0,
                event: trace.events.index_after(time).0.saturating_sub(1),
                class: BarClass::for_log_level(line.level),
                line: index,
            });
        }
        Self(steps)
    }

    /// The line of a step.
    pub(crate) fn line<'l>(&self, log: &'l TextLog, step: usize) -> Option<TextLogLine<'l>> {
        log.timed_line(self.subject(step) as usize)
    }
}

impl Track for TextLogTrack {
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.0.get(step).map_or(0, |step| step.start)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.0.get(step).map_or(0, |step| step.event)
    }

    #[inline]
    fn class(&self, step: usize) -> BarClass {
        self.0
            .get(step)
            .map_or(BarClass::NOTHING, |step| step.class)
    }

    #[inline]
    fn subject(&self, step: usize) -> u32 {
        self.0.get(step).map_or(NO_LINE, |step| step.line)
    }

    #[inline]
    fn owns_event(&self, _step: usize) -> bool {
        false
    }
}
