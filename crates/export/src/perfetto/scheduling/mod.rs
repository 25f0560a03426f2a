//! The schedule: the engine's tables `sched` and `thread_state`.
//!
//! Switches and wake-ups are Linux `sched_switch` and `sched_waking` events. State
//! changes of a thread without a core, for example when another thread suspends it,
//! have no such event: they are written as states of a generic kernel.
//!
//! Everything that occupies a core is a task: also interrupt service routines, the
//! kernel after an interrupt, and the initialisation. A thread's time is therefore
//! its own CPU time, and it is preempted while an interrupt runs on its core. A
//! switch always leads to a task, so times with an unknown running context belong
//! to a separate task.

mod tasks;

use super::ftrace::{Ftrace, IDLE_TRACK, PrevState, SchedSwitch, Waker};
use super::packets::PacketSequence;
use super::track_writer::{TrackId, TrackWriter};
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::timeline::{self, Change, Changes, PriorityHistory, PriorityStep};
use rtoscope_trace::EventIndex;
use std::io::{self, Write};
use tasks::{CoreTask, TaskState, Tasks};

/// `TracePacket.generic_kernel_task_state_event`.
const TASK_STATE: u32 = 117;
/// The priority of tasks without one: if it were omitted, the engine would assume
/// 0, the highest.
const NO_PRIORITY: i64 = -1;
/// The maximum number of CPUs: the engine refuses traces with more.
const MAX_CPUS: u64 = 1024;

/// Writes the schedule. `threads` are the tracks of the contexts.
pub(super) fn write<W: Write>(
    writer: &mut TrackWriter<'_, W>,
    threads: &[Option<TrackId>],
) -> io::Result<()> {
    let cores = timeline::cores(writer.view);
    let max = cores.map(|core| u64::from(core) + 1).max();
    writer.ids.next_cpu += max.unwrap_or_default();
    if writer.ids.next_cpu > MAX_CPUS {
        let message = format!("Perfetto reads at most {MAX_CPUS} cores in a trace");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let sequence = writer.packets.sequence();
    let PriorityHistory { initial, changes } = PriorityHistory::new(writer.view);
    let mut scheduling = ScheduleWriter {
        cores: timeline::cores(writer.view).map(CoreState::new).collect(),
        tasks: Tasks::new(threads),
        priorities: initial,
        ftrace: Ftrace::new(writer.packets, writer.first_cpu),
        sequence,
        writer,
    };
    scheduling.run(changes)?;
    scheduling.ftrace.finish(scheduling.writer.packets);
    Ok(())
}

/// The state of a core.
struct CoreState {
    number: u8,
    /// What it runs now.
    runs: CpuContext,
    /// The task of that.
    current: CoreTask,
    /// The task of the last written switch.
    written: CoreTask,
    /// Whether a switch has been written.
    has_written: bool,
    /// The state in which the written task leaves.
    exit_state: Option<PrevState>,
    /// Whether the current task has just left another core. The engine does not
    /// keep the order of simultaneous switches of different cores.
    has_migrated: bool,
}

/// The origin of the event that woke a thread.
#[derive(Debug, Clone, Copy)]
struct WakeCause {
    task: CoreTask,
    /// The core that logged it.
    core: u8,
    waker: Waker,
}

struct ScheduleWriter<'s, 'a, W: Write> {
    writer: &'s mut TrackWriter<'a, W>,
    sequence: PacketSequence,
    cores: Vec<CoreState>,
    tasks: Tasks,
    /// The current priorities of threads, where known, by context.
    priorities: Vec<Option<u16>>,
    ftrace: Ftrace,
}

impl CoreState {
    fn new(number: u8) -> Self {
        Self {
            number,
            runs: CpuContext::Unknown,
            current: CoreTask::Unknown,
            written: CoreTask::Unknown,
            has_written: false,
            exit_state: None,
            has_migrated: false,
        }
    }

    /// Whether the running task changes.
    fn needs_switch(&self) -> bool {
        self.current != self.written
    }
}

impl<W: Write> ScheduleWriter<'_, '_, W> {
    /// Writes the changes of the schedule, those of the same nanosecond together.
    fn run(&mut self, priorities: Vec<PriorityStep>) -> io::Result<()> {
        let view = self.writer.view;
        let scale = self.writer.scale;
        let (mut changed_cores, mut changed_threads) = (Vec::new(), Vec::new());
        let mut time = 0;
        for (change_time, change) in Changes::new(view, priorities) {
            let change_time = scale.written_time(change_time);
            if time < change_time {
                self.write_changes(time, &mut changed_cores, &mut changed_threads)?;
                time = change_time;
            }
            // Intervals of zero duration leave no trace.
            match change {
                Change::State(change) => {
                    self.tasks.enter_state(&change);
                    changed_threads.push(change.thread.index());
                }
                Change::Priority(step) => {
                    if let Some(priority) = self.priorities.get_mut(step.thread.index()) {
                        *priority = Some(step.new);
                    }
                }
                Change::Core { place, runs, .. } => {
                    if let Some(core) = self.cores.get_mut(place) {
                        core.runs = runs;
                    }
                    changed_cores.push(place);
                }
                Change::Interrupt { .. } => {}
            }
        }
        self.write_changes(time, &mut changed_cores, &mut changed_threads)?;
        let end = scale.written_time(view.trace.events.span());
        self.write_final_dispatches(end);
        self.close(end);
        Ok(())
    }

    /// Writes threads that are dispatched at the very end, which is not a slice.
    fn write_final_dispatches(&mut self, end: u64) {
        let mut places = Vec::new();
        for (place, thread) in timeline::final_dispatches(self.writer.view) {
            if let Some(core) = self.cores.get_mut(place) {
                core.current = CoreTask::Task(thread.index());
                places.push(place);
            }
        }
        self.switch_all(end, &places, &[]);
    }

    /// Writes all changes at a time, and clears the lists.
    fn write_changes(
        &mut self,
        time: u64,
        cores: &mut Vec<usize>,
        threads: &mut Vec<usize>,
    ) -> io::Result<()> {
        cores.sort_unstable();
        cores.dedup();
        // A thread that changed several times is written as often: it can be woken
        // and lose its core at the same time.
        threads.sort_unstable();
        for core_index in &*cores {
            self.update_current(*core_index);
        }
        self.switch_all(time, cores, threads);
        cores.clear();
        threads.clear();
        self.writer.packets.flush_full()
    }

    /// Writes the switches of cores and the state changes of threads.
    fn switch_all(&mut self, time: u64, cores: &[usize], threads: &[usize]) {
        for core_index in cores {
            self.leave_current(time, *core_index);
        }
        for core_index in cores {
            self.make_ready(time, *core_index);
        }
        // A waker must run at the time of the wake-up, so wake-ups by tasks that
        // were already running come first.
        let mut late = Vec::new();
        for thread in threads {
            let left = self.left_core(*thread);
            let starts =
                |core: &CoreState| core.needs_switch() && core.current == CoreTask::Task(*thread);
            if self.tasks.core(*thread).is_some() {
                self.tasks.skip_wake(*thread);
            } else if self.cores.iter().any(starts) {
                // The switch writes it.
            } else if left.is_some() || !self.write_resting(time, *thread, true, None) {
                late.push((*thread, left));
            }
        }
        for core_index in cores {
            self.switch(time, *core_index);
        }
        for (thread, left) in late {
            if self.tasks.core(thread).is_none() {
                self.write_resting(time, thread, false, left);
            }
        }
    }

    /// Updates the current task of a core.
    fn update_current(&mut self, core_index: usize) {
        let Some(core) = self.cores.get_mut(core_index) else {
            return;
        };
        core.current = self.tasks.core_task(self.writer, core.number, core.runs);
    }

    /// The core with this index, if its running task changes.
    fn switching_core(&self, core_index: usize) -> Option<&CoreState> {
        let core = self.cores.get(core_index);
        core.filter(|core| core.needs_switch())
    }

    /// Ends the task of a core, if another one follows.
    fn leave_current(&mut self, time: u64, core_index: usize) {
        let Some(core) = self.switching_core(core_index) else {
            return;
        };
        let CoreTask::Task(task) = core.written else {
            return;
        };
        let mut others = self.cores.iter().enumerate();
        let moved = others.find(|(_, other)| other.needs_switch() && other.current == core.written);
        let moved = moved.map(|(to, _)| to);
        let leaves = self.tasks.stop(task, time, moved.is_some());
        if let Some(core) = self.cores.get_mut(core_index) {
            core.exit_state = Some(leaves);
        }
        if let Some(to) = moved.and_then(|to| self.cores.get_mut(to)) {
            to.has_migrated = true;
        }
    }

    /// Makes the next task of a core ready before the switch.
    fn make_ready(&mut self, time: u64, core_index: usize) {
        let Some(core) = self.switching_core(core_index) else {
            return;
        };
        let (CoreTask::Task(task), number) = (core.current, core.number) else {
            return;
        };
        if self.tasks.core(task).is_some() || self.left_core(task).is_some() {
            return;
        }
        // The state written for the thread before this time.
        if let Some(track) = self.tasks.hide_latency(task, time) {
            self.write_state(time.saturating_sub(1), track, TaskState::Runnable);
        }
        if let Some(cause) = self.tasks.take_wake(task, time) {
            let waker = self.waker(cause);
            self.wake(time, number, waker, task);
        }
    }

    /// Switches a core to its current task.
    fn switch(&mut self, time: u64, core_index: usize) {
        let Some(core) = self.switching_core(core_index) else {
            return;
        };
        let (now, number) = (core.current, core.number);
        if let CoreTask::Task(task) = now {
            self.leave_other_core(time, core_index, task);
        }
        let Some(core) = self.cores.get_mut(core_index) else {
            return;
        };
        let is_late = std::mem::take(&mut core.has_migrated);
        if is_late {
            // The old task may move to another core at the same time.
            core.current = CoreTask::Unknown;
            self.switch(time, core_index);
        }
        let Some(core) = self.cores.get_mut(core_index) else {
            return;
        };
        core.current = now;
        let (written, has_written) = (core.written, core.has_written);
        let leaves = core.exit_state.take();
        let (prev, prev_state) = match written {
            _ if !has_written => (IDLE_TRACK, PrevState::Ready),
            CoreTask::Idle => (IDLE_TRACK, PrevState::Ready),
            CoreTask::Task(task) => {
                let state = leaves.unwrap_or(PrevState::Sleeping);
                (self.tasks.track(task).unwrap_or(IDLE_TRACK), state)
            }
            CoreTask::Unknown => {
                let task = self.unknown_task(number);
                let state = self.tasks.stop(task, time, false);
                (self.tasks.track(task).unwrap_or(IDLE_TRACK), state)
            }
        };
        let (next, priority) = match now {
            CoreTask::Idle => (Some(IDLE_TRACK), None),
            CoreTask::Task(task) => {
                let priority = self.priority(task);
                (self.tasks.start(task, core_index), priority)
            }
            CoreTask::Unknown => {
                let task = self.unknown_task(number);
                (self.tasks.start(task, core_index), None)
            }
        };
        let switch = SchedSwitch {
            prev,
            prev_state,
            next: next.unwrap_or(IDLE_TRACK),
            priority: priority.unwrap_or(NO_PRIORITY),
        };
        let time = time.saturating_add(is_late.into());
        self.ftrace
            .switch(self.writer.packets, number, time, switch);
        if let Some(core) = self.cores.get_mut(core_index) {
            core.written = now;
            core.has_written = true;
        }
    }

    /// A task runs on one core at a time, even in a damaged recording.
    fn leave_other_core(&mut self, time: u64, core_index: usize, task: usize) {
        let other = self.tasks.core(task).filter(|other| *other != core_index);
        let Some((other, core)) = other.and_then(|other| Some((other, self.cores.get_mut(other)?)))
        else {
            return;
        };
        core.current = CoreTask::Unknown;
        core.exit_state = Some(self.tasks.stop(task, time, true));
        self.switch(time, other);
        if let Some(core) = self.cores.get_mut(core_index) {
            core.has_migrated = true;
        }
    }

    /// Writes the state of a thread without a core. Returns whether it was written:
    /// if its waker only starts to run at this time, it is written after the
    /// switches.
    fn write_resting(&mut self, time: u64, thread: usize, before: bool, left: Option<u8>) -> bool {
        let Some(cause) = self.tasks.pending_wake(thread) else {
            if let Some((track, state)) = self.tasks.resting_change(thread) {
                self.write_state(time, track, state);
            }
            return true;
        };
        let waker = self.waker(cause);
        let starts = |core: &CoreState| core.needs_switch() && core.current == waker.task;
        if before && self.cores.iter().any(starts) {
            return false;
        }
        self.tasks.take_wake(thread, time);
        // Write it after the switch away from the thread, if there is one.
        self.wake(time, left.unwrap_or(waker.core), waker, thread);
        true
    }

    /// The core that a thread leaves at this time.
    fn left_core(&self, thread: usize) -> Option<u8> {
        let leaves =
            |core: &&CoreState| core.exit_state.is_some() && core.written == CoreTask::Task(thread);
        self.cores.iter().find(leaves).map(|core| core.number)
    }

    /// The task of a core's unknown context.
    fn unknown_task(&mut self, core: u8) -> usize {
        self.tasks.task(self.writer, core, CpuContext::Unknown)
    }

    /// What logged the event that woke a thread.
    fn waker(&mut self, cause: EventIndex) -> WakeCause {
        let (by, core) = timeline::logged_by(self.writer.view, cause);
        let task = match by {
            CpuContext::Idle => None,
            _ => Some(self.tasks.task(self.writer, core, by)),
        };
        let track = task.and_then(|task| self.tasks.track(task));
        WakeCause {
            task: task.map_or(CoreTask::Idle, CoreTask::Task),
            core,
            waker: Waker {
                task: track.unwrap_or(IDLE_TRACK),
                is_interrupt: matches!(by, CpuContext::Isr(_) | CpuContext::Kernel),
            },
        }
    }

    /// Writes the wake-up of a thread by an event of that core.
    fn wake(&mut self, time: u64, core: u8, cause: WakeCause, thread: usize) {
        if let Some(track) = self.tasks.track(thread) {
            self.ftrace
                .waking(self.writer.packets, core, time, cause.waker, track);
        }
    }

    /// The current priority of a thread; `None` if it is unknown, and for other tasks.
    fn priority(&self, task: usize) -> Option<i64> {
        let thread = self.tasks.thread(task)?;
        let priority = self.priorities.get(thread.index()).copied()?;
        priority.map(i64::from)
    }

    /// Ends all tasks: nothing after the end is known.
    fn close(&mut self, end: u64) {
        for thread in 0..self.tasks.len() {
            self.tasks.forget(thread);
        }
        for core_index in 0..self.cores.len() {
            if let Some(core) = self.cores.get_mut(core_index) {
                core.current = CoreTask::Unknown;
                if let CoreTask::Task(task) = core.written {
                    core.exit_state = Some(self.tasks.end_running(task));
                }
            }
            self.switch(end, core_index);
        }
        for task in 0..self.tasks.len() {
            if let Some(track) = self.tasks.end(task, end) {
                self.write_state(end, track, TaskState::Unknown);
            }
        }
    }

    /// Writes the state of a task without a core.
    fn write_state(&mut self, time: u64, task: TrackId, state: TaskState) {
        let (message, packet) = self.writer.packets.begin_at(&mut self.sequence, time);
        // Fields of `GenericKernelTaskStateEvent`: cpu, tid, state. The cpu is not
        // one of the trace.
        let event = message.open(TASK_STATE);
        message.number(1, 0);
        message.number(3, task.0);
        message.number(4, state as u64);
        message.close(event);
        self.writer.packets.end(packet);
    }
}
