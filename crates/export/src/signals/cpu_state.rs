//! The running contexts, combined from core slices and thread states.

use super::change_writer::{ChangeWriter, SignalSink};
use super::signal::{SignalId, SignalValue};
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::schedule::ThreadState;
use rtoscope_trace::ContextId;
use std::io;

/// The state of a recording's cores at a time. Signals that depend on several
/// streams are written after all streams have reached that time.
#[derive(Debug)]
pub(super) struct CpuState {
    cores: Vec<CpuContext>,
    /// By context.
    threads: Vec<ThreadRunState>,
    /// The threads whose signal may have to change.
    changed_threads: Vec<ContextId>,
    /// The numbers of open spans: routines, then others.
    pub(super) routines: LineCounters,
    pub(super) others: LineCounters,
    /// The number of cores with an unknown running context.
    unknown_cores: usize,
    /// Whether there were any at the last write.
    unknown: bool,
    /// Whether events are missing.
    pub(super) missing: bool,
    ended: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct ThreadRunState {
    signal: Option<SignalId>,
    may_run: MayRun,
    cores: u32,
}

/// Whether a thread may be running while the running context is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum MayRun {
    #[default]
    Perhaps,
    No,
}

impl CpuState {
    /// Creates an unknown state. `running` are the signals of the contexts.
    pub(super) fn new(
        cores: usize,
        running: impl Iterator<Item = Option<SignalId>>,
        routines: Vec<SignalId>,
        others: Vec<SignalId>,
    ) -> Self {
        let thread = |signal| ThreadRunState {
            signal,
            ..ThreadRunState::default()
        };
        Self {
            cores: vec![CpuContext::Unknown; cores],
            threads: running.map(thread).collect(),
            changed_threads: Vec::new(),
            routines: LineCounters::new(routines),
            others: LineCounters::new(others),
            unknown_cores: cores,
            unknown: true,
            missing: false,
            ended: false,
        }
    }

    /// Sets what a core runs.
    pub(super) fn set_running(&mut self, core: usize, runs: CpuContext) {
        let Some(now) = self.cores.get_mut(core) else {
            return;
        };
        let before = std::mem::replace(now, runs);
        match before {
            CpuContext::Thread(thread) => self.touch(thread, |it| it.cores -= 1),
            CpuContext::Unknown => self.unknown_cores -= 1,
            _ => {}
        }
        match runs {
            CpuContext::Thread(thread) => self.touch(thread, |it| it.cores += 1),
            CpuContext::Unknown => self.unknown_cores += 1,
            _ => {}
        }
    }

    /// Sets the state of a thread.
    pub(super) fn enter(&mut self, thread: ContextId, state: ThreadState) {
        let may = match state {
            ThreadState::Unknown | ThreadState::Running => MayRun::Perhaps,
            ThreadState::Ready | ThreadState::Waiting { .. } | ThreadState::Deleted => MayRun::No,
        };
        self.touch(thread, |it| it.may_run = may);
    }

    /// Ends the recording.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// Writes the signals that follow from all streams.
    pub(super) fn write_signals(
        &mut self,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        if self.ended {
            return Ok(());
        }
        let unknown = self.unknown_cores > 0;
        self.routines.set_uncertain(unknown || self.missing, out)?;
        self.others.set_uncertain(self.missing, out)?;
        if std::mem::replace(&mut self.unknown, unknown) != unknown {
            self.changed_threads.clear();
            for thread in &self.threads {
                out.set(thread.signal, thread.value(unknown))?;
            }
        }
        for id in self.changed_threads.drain(..) {
            if let Some(thread) = self.threads.get(id.index()) {
                out.set(thread.signal, thread.value(unknown))?;
            }
        }
        Ok(())
    }

    fn touch(&mut self, thread: ContextId, change: impl FnOnce(&mut ThreadRunState)) {
        if let Some(it) = self.threads.get_mut(thread.index()) {
            change(it);
            self.changed_threads.push(thread);
        }
    }
}

impl ThreadRunState {
    fn value(self, unknown: bool) -> SignalValue {
        match self.cores {
            0 if unknown && self.may_run == MayRun::Perhaps => SignalValue::Unknown,
            cores => SignalValue::Line(cores > 0),
        }
    }
}

/// Signals that are high while at least one span is open.
#[derive(Debug)]
pub(super) struct LineCounters {
    signals: Vec<SignalId>,
    counts: Vec<u32>,
    /// Whether unknown spans may be open.
    is_uncertain: bool,
}

impl LineCounters {
    fn new(signals: Vec<SignalId>) -> Self {
        Self {
            counts: vec![0; signals.len()],
            signals,
            is_uncertain: true,
        }
    }

    /// Counts a start or an end of a span.
    pub(super) fn count(
        &mut self,
        line: usize,
        begins: bool,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        if let Some(count) = self.counts.get_mut(line) {
            *count = match begins {
                true => *count + 1,
                false => count.saturating_sub(1),
            };
        }
        self.show(line, out)
    }

    /// Whether unknown spans may be open.
    fn set_uncertain(
        &mut self,
        dark: bool,
        out: &mut ChangeWriter<'_, impl SignalSink>,
    ) -> io::Result<()> {
        if std::mem::replace(&mut self.is_uncertain, dark) != dark {
            for line in 0..self.signals.len() {
                self.show(line, out)?;
            }
        }
        Ok(())
    }

    fn show(&self, line: usize, out: &mut ChangeWriter<'_, impl SignalSink>) -> io::Result<()> {
        let goes_on = self.counts.get(line).is_some_and(|count| *count > 0);
        let value = match goes_on {
            false if self.is_uncertain => SignalValue::Unknown,
            known => SignalValue::Line(known),
        };
        out.set(self.signals.get(line).copied(), value)
    }
}
