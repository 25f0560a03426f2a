//! Marks drawn across lanes: context switches, wake-ups, gaps.

use crate::axis::Pixels;
use crate::lanes::bars::steps_in_window;
use crate::lanes::binary::TOO_MANY;
use crate::lanes::cores::CoreTrack;
use crate::lanes::thread::ThreadTrack;
use crate::lanes::track::Track;
use crate::query::Axis;
use rtoscope_analysis::Schedule;
use rtoscope_trace::Trace;

/// Maximum number of context switches in a window.
const MAX_SWITCHES: usize = 1000;
/// Maximum number of wake-ups in a window.
const MAX_WAKES: usize = 600;

/// A context switch of a core.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SwitchMark {
    pub(super) x: f32,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) event: u32,
}

/// A wake-up: a thread is resumed and then runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct WakeMark {
    pub(super) x: [f32; 2],
    pub(super) by: u32,
    pub(super) thread: u32,
    pub(super) cause: u32,
    pub(super) effect: u32,
}

/// The context switches of cores; `None` if there are too many.
pub(super) fn switches(
    cores: &[CoreTrack<'_>],
    pixels: &Pixels,
    end: u64,
) -> Option<Vec<SwitchMark>> {
    let parts: Vec<_> = cores
        .iter()
        .map(|core| steps_in_window(core, pixels, end))
        .collect();
    let count: usize = parts.iter().map(ExactSizeIterator::len).sum();
    if count > MAX_SWITCHES {
        return None;
    }
    let mut switches = Vec::with_capacity(count);
    for (core, part) in cores.iter().zip(parts) {
        for step in part.skip(1) {
            switches.push(SwitchMark {
                x: pixels.x(core.position(pixels.axis, step) as f64),
                from: core.context(step - 1).0,
                to: core.context(step).0,
                event: core.event(step),
            });
        }
    }
    Some(switches)
}

/// The wake-ups of threads; `None` if there are too many.
pub(super) fn wakes(
    schedule: &Schedule,
    threads: &[ThreadTrack<'_>],
    pixels: &Pixels,
    end: u64,
) -> Option<Vec<WakeMark>> {
    let mut wakes = Vec::new();
    for track in threads {
        // If a thread is ready when the window starts, its wake-up is before the
        // window.
        let part = steps_in_window(track, pixels, end);
        if part.len() > 3 * MAX_WAKES {
            return None;
        }
        for step in part {
            let Some(wake_up) = schedule.wake_up_at(track.thread, step) else {
                continue;
            };
            let Some(effect) = wake_up.effect() else {
                continue;
            };
            let cause = match pixels.axis {
                Axis::Time => wake_up.ready.start.0 as f64,
                Axis::Index => f64::from(wake_up.cause().0) + 0.5,
            };
            let by = track.events.context(wake_up.cause());
            wakes.push(WakeMark {
                x: [
                    pixels.x(cause),
                    pixels.x(track.position(pixels.axis, step + 1) as f64),
                ],
                by: by.map_or(TOO_MANY, |by| by.0),
                thread: track.thread.0,
                cause: wake_up.cause().0,
                effect: effect.0,
            });
        }
        if wakes.len() > MAX_WAKES {
            return None;
        }
    }
    Some(wakes)
}

/// Gaps: the position, and the first event after the gap. Only the first gap of each
/// pixel.
pub(super) fn gaps(trace: &Trace, pixels: &Pixels) -> Vec<(f32, u32)> {
    let at = |gap: &rtoscope_trace::Gap| match pixels.axis {
        Axis::Index => f64::from(gap.next_event.0),
        Axis::Time => {
            let time = trace.events.time(gap.next_event);
            time.unwrap_or_default().0 as f64
        }
    };
    let first = trace.gaps.partition_point(|gap| at(gap) < pixels.start);
    let mut shown: Vec<(f32, u32)> = Vec::new();
    let inside = trace.gaps.iter().skip(first);
    for gap in inside.take_while(|gap| at(gap) <= pixels.end) {
        let x = pixels.x(at(gap));
        if shown.last().is_none_or(|(last, _)| x - last >= 1.0) {
            shown.push((x, gap.next_event.0));
        }
    }
    shown
}
