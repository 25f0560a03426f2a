//! Who executes, put together from what cores execute and what threads do.

use super::merge::Changes;
use super::{SignalId, Sink, Value};
use rtoscope_analysis::schedule::{Executing, State, Who};
use rtoscope_trace::ContextId;
use std::io;

/// What is known of a recording at a moment. Signals that several streams bear
/// on are set once all of them have told that moment.
#[derive(Debug)]
pub(super) struct Occupancy {
    cores: Vec<Who>,
    /// Index is the context.
    threads: Vec<Thread>,
    /// Threads whose signal may have to change.
    touched: Vec<ContextId>,
    /// How often each thing goes on at once: routines, then others.
    pub(super) routines: Lines,
    pub(super) others: Lines,
    /// How many cores execute what is not known.
    unknown_cores: usize,
    /// Whether there were any when the signals were last set.
    unknown: bool,
    /// Whether events are missing.
    pub(super) missing: bool,
    ended: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Thread {
    executes: Option<SignalId>,
    may: May,
    cores: u32,
}

/// Whether a thread may execute where nothing says who does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum May {
    #[default]
    Perhaps,
    No,
}

impl Occupancy {
    /// Nothing is known. `executes` are the signals of the contexts.
    pub(super) fn new(
        cores: usize,
        executes: &[Option<SignalId>],
        routines: Vec<SignalId>,
        others: Vec<SignalId>,
    ) -> Self {
        let thread = |executes: &Option<SignalId>| Thread {
            executes: *executes,
            ..Thread::default()
        };
        Self {
            cores: vec![Who::UNKNOWN; cores],
            threads: executes.iter().map(thread).collect(),
            touched: Vec::new(),
            routines: Lines::new(routines),
            others: Lines::new(others),
            unknown_cores: cores,
            unknown: true,
            missing: false,
            ended: false,
        }
    }

    /// The core of that place executes somebody else.
    pub(super) fn execute(&mut self, core: usize, who: Who) {
        let Some(now) = self.cores.get_mut(core) else {
            return;
        };
        let before = std::mem::replace(now, who);
        match before.executing() {
            Executing::Thread(thread) => self.touch(thread, |it| it.cores -= 1),
            Executing::Unknown => self.unknown_cores -= 1,
            _ => {}
        }
        match who.executing() {
            Executing::Thread(thread) => self.touch(thread, |it| it.cores += 1),
            Executing::Unknown => self.unknown_cores += 1,
            _ => {}
        }
    }

    /// A thread does something else.
    pub(super) fn enter(&mut self, thread: ContextId, state: State) {
        let may = match state {
            State::Unknown | State::Running => May::Perhaps,
            State::Ready | State::Waiting { .. } => May::No,
        };
        self.touch(thread, |it| it.may = may);
    }

    /// Nothing is recorded any more.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// Sets the signals as all streams together tell.
    pub(super) fn settle(&mut self, out: &mut Changes<'_, impl Sink>) -> io::Result<()> {
        if self.ended {
            return Ok(());
        }
        let unknown = self.unknown_cores > 0;
        self.routines.dark(unknown || self.missing, out)?;
        self.others.dark(self.missing, out)?;
        if std::mem::replace(&mut self.unknown, unknown) != unknown {
            self.touched.clear();
            for thread in &self.threads {
                out.set(thread.executes, thread.value(unknown))?;
            }
        }
        for id in self.touched.drain(..) {
            if let Some(thread) = self.threads.get(id.index()) {
                out.set(thread.executes, thread.value(unknown))?;
            }
        }
        Ok(())
    }

    fn touch(&mut self, thread: ContextId, change: impl FnOnce(&mut Thread)) {
        if let Some(it) = self.threads.get_mut(thread.index()) {
            change(it);
            self.touched.push(thread);
        }
    }
}

impl Thread {
    fn value(self, unknown: bool) -> Value {
        match self.cores {
            0 if unknown && self.may == May::Perhaps => Value::Unknown,
            cores => Value::Line(cores > 0),
        }
    }
}

/// Lines that are high while at least one of something goes on.
#[derive(Debug)]
pub(super) struct Lines {
    signals: Vec<SignalId>,
    counts: Vec<u32>,
    /// Whether more may go on than is known.
    dark: bool,
}

impl Lines {
    fn new(signals: Vec<SignalId>) -> Self {
        Self {
            counts: vec![0; signals.len()],
            signals,
            dark: true,
        }
    }

    /// One more goes on, or one less.
    pub(super) fn count(
        &mut self,
        line: usize,
        begins: bool,
        out: &mut Changes<'_, impl Sink>,
    ) -> io::Result<()> {
        if let Some(count) = self.counts.get_mut(line) {
            *count = match begins {
                true => *count + 1,
                false => count.saturating_sub(1),
            };
        }
        self.show(line, out)
    }

    /// Whether more may go on than is known.
    fn dark(&mut self, dark: bool, out: &mut Changes<'_, impl Sink>) -> io::Result<()> {
        if std::mem::replace(&mut self.dark, dark) != dark {
            for line in 0..self.signals.len() {
                self.show(line, out)?;
            }
        }
        Ok(())
    }

    fn show(&self, line: usize, out: &mut Changes<'_, impl Sink>) -> io::Result<()> {
        let goes_on = self.counts.get(line).is_some_and(|count| *count > 0);
        let value = match goes_on {
            false if self.dark => Value::Unknown,
            known => Value::Line(known),
        };
        out.set(self.signals.get(line).copied(), value)
    }
}
