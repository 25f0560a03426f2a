//! Writes the changes of a recording's signals.

use super::change_writer::{ChangeWriter, SignalSink};
use super::cpu_state::CpuState;
use super::signal::{SignalId, SignalValue, TextId};
use super::signal_plan::{CoreSignals, RecordingSignals, ThreadSignals};
use super::streams::SignalChange;
use super::thread_state;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::Schedule;
use rtoscope_analysis::schedule::{
    ChangeKind, IsrActivationId, RunningContext, Slice, ThreadState, ThreadStateInterval,
};
use rtoscope_trace::{ContextId, ResourceId};
use std::io;

/// The signals of a recording, and the state that they follow from.
pub(super) struct RecordingWriter<'a> {
    schedule: &'a Schedule,
    plan: &'a RecordingSignals,
    cpu_state: CpuState,
}

impl<'a> RecordingWriter<'a> {
    pub(super) fn new(source: &'a AnalyzedRecording, plan: &'a RecordingSignals) -> Self {
        let threads = plan.threads.iter();
        Self {
            schedule: &source.schedule,
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
            SignalChange::Schedule(kind) => self.change_schedule(kind, out),
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

    fn change_schedule(
        &mut self,
        change: ChangeKind,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        let (schedule, plan) = (self.schedule, self.plan);
        match change {
            ChangeKind::ThreadState { thread, interval } => {
                let intervals = schedule.threads.get(thread.index());
                let interval = intervals.and_then(|all| all.get(interval as usize));
                match (interval, plan.thread(thread)) {
                    (Some(interval), Some(signals)) => {
                        self.cpu_state.enter(thread, interval.state);
                        self.write_state(signals, interval, out)
                    }
                    _ => Ok(()),
                }
            }
            ChangeKind::IsrStart(id) => self.count_routine(id, true, out),
            ChangeKind::IsrEnd(id) => self.count_routine(id, false, out),
            ChangeKind::Slice { core_index, slice } => {
                let core_index = core_index as usize;
                let core = schedule.cores.get(core_index);
                let slice = core.and_then(|core| core.slices.get(slice as usize));
                match (slice, plan.cores.get(core_index)) {
                    (Some(slice), Some(signals)) => {
                        self.cpu_state.set_running(core_index, slice.running);
                        self.write_running(signals, slice, out)
                    }
                    _ => Ok(()),
                }
            }
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

    fn count_routine(
        &mut self,
        id: IsrActivationId,
        is_start: bool,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        match self.routine_line(id) {
            Some(line) => self.cpu_state.routines.count(line, is_start, out),
            None => Ok(()),
        }
    }

    /// The index of a routine's signal.
    fn routine_line(&self, id: IsrActivationId) -> Option<usize> {
        let activation = self.schedule.activations.get(id.index())?;
        let line = self.plan.routines.get(&activation.number)?;
        Some(*line as usize)
    }

    fn write_running(
        &self,
        signals: &CoreSignals,
        slice: &Slice,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        let (current, depth) = match slice.running.running_context() {
            RunningContext::Thread(thread) => (self.thread_name(thread), Some(0)),
            RunningContext::Isr(id) => {
                let activation = self.schedule.activations.get(id.index());
                let line = self.routine_line(id);
                let name = line.and_then(|line| self.plan.routine_names.get(line));
                let name = name.copied().unwrap_or(TextId::UNKNOWN);
                (name, activation.map(|it| u32::from(it.depth)))
            }
            RunningContext::Kernel => (TextId::INTERRUPT, Some(0)),
            RunningContext::Idle => (TextId::IDLE, Some(0)),
            RunningContext::Initialize => (TextId::INITIALIZE, Some(0)),
            RunningContext::Unknown => (TextId::UNKNOWN, None),
        };
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
