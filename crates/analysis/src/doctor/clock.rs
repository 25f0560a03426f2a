//! Rules about the clock.

use super::{Finding, Occurrences, Subject, arrivals};
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{DiagnosticKind, Ticks};

/// Minimum number of steps from which the clock's resolution is judged.
const MIN_STEPS: usize = 100;
/// Frequencies outside this range, in hertz, are implausible.
const PLAUSIBLE_HERTZ: std::ops::RangeInclusive<u64> = 1000..=20_000_000_000;

pub(super) fn runs(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    match trace.clock.quality {
        ClockQuality::Good => Finding::passed("the clock advances"),
        ClockQuality::Static => Finding::failed(1, None, "all timestamps are equal"),
        ClockQuality::EventCounter => {
            let message = "the clock counts events, or entries have no timestamps";
            Finding::failed(1, None, message)
        }
        ClockQuality::Lossy | ClockQuality::Uneven => {
            let mut diagnostics = trace.diagnostics.iter();
            let kind = DiagnosticKind::ClockContradictsTicks;
            match diagnostics.find(|it| it.kind == kind) {
                Some(it) => Finding::failed(it.count, it.event, &*it.message),
                None => Finding::failed(1, None, "the clock does not measure all time"),
            }
        }
        ClockQuality::Unknown => Finding::not_checked("the trace is too short"),
    }
}

pub(super) fn forward(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    if !trace.clock.measures_time() {
        return Finding::not_checked("the clock does not measure time");
    }
    let steps = trace.clock.backward_steps;
    let mut diagnostics = trace.diagnostics.iter();
    let own = diagnostics
        .clone()
        .find(|it| it.kind == DiagnosticKind::CoreClocks);
    if let Some(own) = own {
        return Finding::failed(own.count, own.event, &*own.message);
    }
    let first = diagnostics.find(|it| {
        matches!(
            it.kind,
            DiagnosticKind::BackwardStep | DiagnosticKind::ClockJump
        )
    });
    let steps = Occurrences {
        count: steps,
        first: first.and_then(|it| it.event),
    };
    steps.none_or("times only increase", |_| "the clock steps back".to_owned())
}

pub(super) fn settings(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    if !trace.clock.measures_time() {
        return Finding::not_checked("the clock does not measure time");
    }
    let mut diagnostics = trace.diagnostics.iter();
    let doubt = diagnostics.find(|it| {
        matches!(
            it.kind,
            DiagnosticKind::ClockMask
                | DiagnosticKind::ClockDirection
                | DiagnosticKind::ClockPeriod
        )
    });
    match doubt {
        Some(doubt) => Finding::failed(doubt.count, doubt.event, &*doubt.message),
        None => Finding::passed(format!(
            "{} bits, counting {}",
            trace.clock.bits(),
            trace.clock.direction
        )),
    }
}

pub(super) fn wrap(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    if !trace.clock.measures_time() {
        return Finding::not_checked("the clock does not measure time");
    }
    let Some(period) = trace.clock.period else {
        return Finding::passed("the counter does not wrap");
    };
    let mut pauses = Occurrences::default();
    let mut longest = 0;
    let mut before = Ticks(0);
    trace.events.visit_headers(0..trace.events.len(), |it| {
        let pause = it.time.0.saturating_sub(before.0);
        before = it.time;
        if trace
            .gaps
            .binary_search_by_key(&it.index, |gap| gap.next_event)
            .is_ok()
        {
            return;
        }
        longest = longest.max(pause);
        if pause > period / 2 {
            pauses.push(it.index);
        }
    });
    let percent = u128::from(longest) * 100 / u128::from(period.max(1));
    let passed = format!("the longest pause is {percent} % of a period");
    pauses.none_or(&passed, |_| {
        format!("the longest pause is {percent} % of a period: a longer one would be too short")
    })
}

pub(super) fn resolution(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    if !trace.clock.measures_time() {
        return Finding::not_checked("the clock does not measure time");
    }
    let mut diagnostics = trace.diagnostics.iter();
    match diagnostics.find(|it| it.kind == DiagnosticKind::CoarseClock) {
        Some(coarse) => Finding::failed(coarse.count, coarse.event, &*coarse.message),
        None if trace.events.len() <= MIN_STEPS => {
            Finding::not_checked(format!("the trace has fewer than {MIN_STEPS} steps"))
        }
        None => Finding::passed("most entries have a time of their own"),
    }
}

pub(super) fn frequency(subject: &Subject<'_>) -> Finding {
    let Some(frequency) = subject.trace().clock.nominal_frequency() else {
        return Finding::not_checked(
            "the recording does not contain the frequency: give it with --clock",
        );
    };
    let hertz = frequency.hertz();
    let message = format!("{hertz} Hz");
    if !PLAUSIBLE_HERTZ.contains(&hertz) {
        return Finding::failed(1, None, message);
    }
    let real = arrivals::hertz(subject.trace(), subject.arrivals);
    match real {
        Some(real) if hertz * 10 < real * 9 || hertz * 10 > real * 11 => Finding::failed(
            1,
            None,
            format!(
                "{hertz} Hz, but {} Hz by the host's clock during the capture, unless the target \
                 is emulated or replayed",
                arrivals::rounded(real)
            ),
        ),
        Some(_) => Finding::passed(format!("{message}, as by the host's clock")),
        None => Finding::passed(message),
    }
}
