//! Writes the changes of a recording's signals.

use super::change_writer::{ChangeWriter, SignalSink};
use super::cpu_state::CpuState;
use super::signal::{SignalId, SignalValue, TextId};
use super::signal_plan::{CoreSignals, RecordingSignals, ThreadSignals};
use super::streams::SignalChange;
use super::thread_state;
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::schedule::{ThreadState, ThreadStateInterval};
use rtoscope_analysis::timeline::Change;
use rtoscope_trace::{ContextId, ResourceId};
use std::io;

/// The signals of a recording, and the state that they follow from.
pub(super) struct RecordingWriter<'a> {
    plan: &'a RecordingSignals,
    cpu_state: CpuState,
}

impl<'a> RecordingWriter<'a> {
    pub(super) fn new(plan: &'a RecordingSignals) -> Self {
        let threads = plan.threads.iter();
        Self {
            plan,
            cpu_state: CpuState::new(
                plan.cores.len(),
                threads.map(|thread| thread.as_ref()?.running),
                plan.routine_lines.clone(),
                plan.other_lines.clone(),
            ),
        }
    }

    /// Applies the next change.
    #[inline]
    pub(super) fn apply(
        &mut self,
        change: SignalChange,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        match change {
            SignalChange::Timeline(change) => self.apply_timeline(change, out),
            SignalChange::Span(edge) => {
                let others = &mut self.cpu_state.others;
                others.count(edge.line as usize, edge.is_start, out)
            }
            SignalChange::Value(signal, value) => out.set(Some(signal), value),
            SignalChange::Recorded(recorded) => {
                self.cpu_state.missing = !recorded;
                out.set(self.plan.recorded, SignalValue::Line(recorded))
            }
            SignalChange::Ended => {
                self.cpu_state.end();
                for signal in self.plan.all.clone() {
                    out.set(Some(SignalId(signal)), SignalValue::Unknown)?;
                }
                out.set(self.plan.recorded, SignalValue::Line(false))
            }
        }
    }

    /// Writes the signals that follow from all changes of a time.
    pub(super) fn finish_time(
        &mut self,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        self.cpu_state.write_signals(out)
    }

    fn apply_timeline(
        &mut self,
        change: Change,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        let plan = self.plan;
        match change {
            Change::State(change) => {
                let Some(signals) = plan.thread(change.thread) else {
                    return Ok(());
                };
                self.cpu_state.enter(change.thread, change.interval.state);
                self.write_state(signals, &change.interval, out)
            }
            Change::Interrupt {
                routine, is_start, ..
            } => match plan.routines.get(&routine.number) {
                Some(line) => {
                    let routines = &mut self.cpu_state.routines;
                    routines.count(*line as usize, is_start, out)
                }
                None => Ok(()),
            },
            Change::Core { place, runs, depth } => {
                let Some(signals) = plan.cores.get(place) else {
                    return Ok(());
                };
                self.cpu_state.set_running(place, runs);
                self.write_running(signals, runs, depth, out)
            }
            Change::Priority(_) => Ok(()),
        }
    }

    fn write_state(
        &self,
        signals: &ThreadSignals,
        interval: &ThreadStateInterval,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        let number = thread_state::number(interval.state);
        let number = number.map_or(SignalValue::Unknown, SignalValue::Number);
        let ready = match interval.state {
            ThreadState::Unknown | ThreadState::Deleted => SignalValue::Unknown,
            state => SignalValue::Line(state == ThreadState::Ready),
        };
        let text = |resource: ResourceId| self.plan.resources.get(resource.index()).copied();
        let detail = match interval.state {
            ThreadState::Unknown | ThreadState::Deleted => SignalValue::Unknown,
            ThreadState::Running => SignalValue::Text(TextId::RUNNING, None),
            ThreadState::Ready => SignalValue::Text(TextId::READY, None),
            ThreadState::Waiting {
                wait_reason: wait,
                resource,
            } => SignalValue::Text(TextId::waiting(wait), resource.and_then(text)),
        };
        out.set(signals.ready, ready)?;
        out.set(signals.state, number)?;
        out.set(signals.detail, detail)
    }

    fn write_running(
        &self,
        signals: &CoreSignals,
        runs: CpuContext,
        depth: u16,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        let current = match runs {
            CpuContext::Thread(thread) => self.thread_name(thread),
            CpuContext::Isr(number) => {
                let line = self.plan.routines.get(&number);
                let name = line.and_then(|line| self.plan.routine_names.get(*line as usize));
                name.copied().unwrap_or(TextId::UNKNOWN)
            }
            CpuContext::Kernel => TextId::INTERRUPT,
            CpuContext::Idle => TextId::IDLE,
            CpuContext::Initialize => TextId::INITIALIZE,
            CpuContext::Unknown => TextId::UNKNOWN,
        };
        let depth = (runs != CpuContext::Unknown).then_some(depth.into());
        let idle = match depth {
            Some(_) => SignalValue::Line(current == TextId::IDLE),
            None => SignalValue::Unknown,
        };
        out.set(signals.idle, idle)?;
        out.set(
            signals.depth,
            depth.map_or(SignalValue::Unknown, SignalValue::Number),
        )?;
        let current = match depth {
            Some(_) => SignalValue::Text(current, None),
            None => SignalValue::Unknown,
        };
        out.set(signals.current, current)
    }

    fn thread_name(&self, thread: ContextId) -> TextId {
        let signals = self.plan.thread(thread);
        signals.map_or(TextId::UNKNOWN, |signals| signals.name)
    }
}
