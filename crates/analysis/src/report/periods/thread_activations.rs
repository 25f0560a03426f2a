use super::ActivationSource;
use super::activations::thread_activation_streams;
use crate::report::View;
use crate::report::latency::{MeasuredDuration, ThreadActivation, for_each_activation};
use rtoscope_trace::Ticks;

/// The activations of the threads of the scope, thread by thread, that begin in
/// the window.
pub fn thread_activations(view: &View<'_>) -> Vec<ThreadActivation> {
    if !view.trace.switch_model.records_states() {
        return resumptions(view);
    }
    let mut all = Vec::new();
    for thread in view.threads() {
        for_each_activation(view, thread.id, |it| {
            all.extend(view.contains(it.start).then_some(it));
        });
    }
    all
}

/// The activations in a trace that records who gets a core, but not who is ready.
fn resumptions(view: &View<'_>) -> Vec<ThreadActivation> {
    let mut all = Vec::new();
    for stream in thread_activation_streams(view) {
        let ActivationSource::Thread(thread) = stream.source else {
            continue;
        };
        let mut last_period = None;
        all.extend(stream.activations.iter().map(|it| {
            let measured = |ticks| MeasuredDuration {
                duration: Ticks(ticks),
                event: it.event,
            };
            let period = it.period.map(|it| it.0);
            let last_period = std::mem::replace(&mut last_period, period);
            let jitter = last_period.zip(period).map(|(one, two)| one.abs_diff(two));
            ThreadActivation {
                thread,
                start: it.start,
                event: it.event,
                by_interrupt: None,
                wake_up: None,
                response: None,
                period: period.map(measured),
                jitter: jitter.map(measured),
            }
        }));
    }
    all
}
