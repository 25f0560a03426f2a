//! Who executes and what threads do meanwhile, as Perfetto's kernel events:
//! they fill its tables `sched` and `thread_state`.
//!
//! Whatever takes a core is a task there: an interrupt service routine, the
//! kernel behind an interrupt and the initialisation as well. So the time of a
//! thread is what it executed itself, and it is runnable while an interrupt has
//! its core.

mod tasks;
mod waits;

use super::merge::Merge;
use super::packets::Sequence;
use super::stage::{Stage, Track};
use rtoscope_analysis::schedule::{Slices, State};
use rtoscope_trace::{EventIndex, Ticks};
use std::io::{self, Write};
use tasks::{Runs, TaskState, Tasks};
use waits::Waits;

/// `TracePacket.generic_kernel_task_state_event`.
const TASK_STATE: u32 = 117;
/// The thread that stands for idle.
const IDLE: Track = Track(0);
/// The priority of what has none: left out, the engine would say 0, the highest.
const NO_PRIORITY: i64 = -1;
/// Events at the start of a slice among which one tells the thread's priority.
const NEAR: u32 = 8;

/// Writes the schedule. `threads` are the tracks of the contexts.
pub(super) fn write<W: Write>(
    stage: &mut Stage<'_, W>,
    threads: &[Option<Track>],
) -> io::Result<()> {
    let first_core = stage.numbers.cores;
    let slices = &stage.view.schedule.cores;
    let most = slices.iter().map(|slices| u64::from(slices.core) + 1).max();
    stage.numbers.cores += most.unwrap_or_default();
    let sequence = stage.packets.sequence();
    let mut scheduling = Scheduling {
        cores: slices.iter().map(Core::of).collect(),
        tasks: Tasks::new(threads),
        // An active object's track has its steps.
        waits: Waits::new(if stage.view.active.is_empty() {
            threads.len()
        } else {
            0
        }),
        first_core,
        sequence,
        stage,
    };
    scheduling.run()
}

/// What a core does.
struct Core<'a> {
    slices: &'a Slices,
    /// How many of its slices have begun.
    begun: usize,
    /// What the last of them says.
    now: Runs,
    /// What was told.
    told: Runs,
}

struct Scheduling<'s, 'a, W: Write> {
    stage: &'s mut Stage<'a, W>,
    sequence: Sequence,
    cores: Vec<Core<'a>>,
    tasks: Tasks,
    waits: Waits,
    /// The number of core 0.
    first_core: u64,
}

impl<'a> Core<'a> {
    fn of(slices: &'a Slices) -> Self {
        Self {
            slices,
            begun: 0,
            now: Runs::Unknown,
            told: Runs::Unknown,
        }
    }
}

impl<'a, W: Write> Scheduling<'_, 'a, W> {
    /// Goes through the slices of all cores and the stretches of all threads.
    fn run(&mut self) -> io::Result<()> {
        let schedule = self.stage.view.schedule;
        let cores = self.cores.len();
        let mut merge = Merge::default();
        for (place, core) in self.cores.iter().enumerate() {
            if let Some(first) = core.slices.all.first() {
                merge.push(first.start.0, place);
            }
        }
        for (thread, stretches) in schedule.threads.iter().enumerate() {
            if let Some(first) = stretches.first() {
                merge.push(first.start.0, cores + thread);
            }
        }
        let mut begun = vec![0; schedule.threads.len()];
        let (mut changed_cores, mut changed_threads) = (Vec::new(), Vec::new());
        while let Some(time) = merge.time() {
            // What is over as soon as it has begun leaves no trace.
            while let Some(source) = merge.take(time, |source| {
                let Some(thread) = source.checked_sub(cores) else {
                    let core = self.cores.get_mut(source)?;
                    core.begun += 1;
                    return Some(core.slices.all.get(core.begun)?.start.0);
                };
                let next = begun.get_mut(thread)?;
                *next += 1;
                Some(schedule.threads.get(thread)?.get(*next)?.start.0)
            }) {
                match source.checked_sub(cores) {
                    None => changed_cores.push(source),
                    Some(thread) => {
                        let last = begun.get(thread).and_then(|begun| begun.checked_sub(1));
                        let stretches = schedule.threads.get(thread);
                        let stretch = stretches.zip(last).and_then(|(all, at)| all.get(at));
                        let state = stretch.map_or(State::Unknown, |stretch| stretch.state);
                        self.tasks.set_state(thread, state);
                        changed_threads.push(thread);
                    }
                }
            }
            self.settle(Ticks(time), &changed_cores, &changed_threads);
            changed_cores.clear();
            changed_threads.clear();
            self.stage.packets.flush_full()?;
        }
        self.close(schedule.span);
        Ok(())
    }

    /// Tells what has changed at that time: first what stops.
    fn settle(&mut self, time: Ticks, cores: &[usize], threads: &[usize]) {
        let now = self.stage.time(time);
        for place in cores {
            self.look(*place);
            self.stop(now, *place);
        }
        for thread in threads {
            self.wait(now, *thread, self.tasks.state(*thread));
            if let Some((task, state)) = self.tasks.rest(*thread) {
                self.tell(now, task, state, None, None);
            }
        }
        for place in cores {
            self.start(now, *place);
        }
    }

    /// Finds out what a core executes from now on.
    fn look(&mut self, place: usize) {
        let Some(core) = self.cores.get_mut(place) else {
            return;
        };
        let last = core.begun.checked_sub(1);
        let slice = last.and_then(|last| core.slices.all.get(last));
        let Some(slice) = slice else { return };
        core.now = self.tasks.runs(self.stage, core.slices.core, slice.who);
    }

    /// What a core executed stops, if something else follows.
    fn stop(&mut self, time: u64, place: usize) {
        let Some(core) = self.cores.get_mut(place) else {
            return;
        };
        if core.now == core.told {
            return;
        }
        let number = core.slices.core;
        match core.told {
            Runs::Task(task) => {
                core.told = Runs::Unknown;
                if let Some((track, state)) = self.tasks.leave(task) {
                    self.tell(time, track, state, Some(number), None);
                }
            }
            // Idle ends with what follows, if anything is known to follow.
            Runs::Idle if core.now == Runs::Unknown => {
                core.told = Runs::Unknown;
                self.tell(time, IDLE, TaskState::Sleeping, Some(number), None);
            }
            Runs::Idle | Runs::Unknown => {}
        }
    }

    /// What a core executes from now on starts.
    fn start(&mut self, time: u64, place: usize) {
        let Some(core) = self.cores.get(place) else {
            return;
        };
        let (now, number) = (core.now, core.slices.core);
        if now == core.told {
            return;
        }
        match now {
            Runs::Unknown => {}
            Runs::Idle => {
                let state = TaskState::Running;
                self.tell(time, IDLE, state, Some(number), Some(NO_PRIORITY));
            }
            Runs::Task(task) => {
                self.leave_other(time, task);
                let priority = self.priority(place, task).unwrap_or(NO_PRIORITY);
                if let Some(track) = self.tasks.enter(task, place) {
                    let state = TaskState::Running;
                    self.tell(time, track, state, Some(number), Some(priority));
                }
            }
        }
        if let Some(core) = self.cores.get_mut(place) {
            core.told = now;
        }
    }

    /// A task executes once only, whatever a damaged recording says.
    fn leave_other(&mut self, time: u64, task: usize) {
        let place = self.tasks.core(task);
        let Some(core) = place.and_then(|place| self.cores.get_mut(place)) else {
            return;
        };
        core.told = Runs::Unknown;
        let number = core.slices.core;
        if let Some((track, _)) = self.tasks.leave(task) {
            self.tell(time, track, TaskState::Runnable, Some(number), None);
        }
    }

    /// The priority of a thread that begins to execute: as its first event
    /// there says, else as it was last, else as it was registered. `None` if it
    /// is not known, and for what is no thread.
    fn priority(&mut self, place: usize, task: usize) -> Option<i64> {
        let trace = self.stage.view.trace;
        let context = self.tasks.thread(task)?;
        let core = self.cores.get(place)?;
        let first = core.slices.all.get(core.begun.checked_sub(1)?)?.event;
        let next = core.slices.all.get(core.begun).map(|next| next.event.0);
        let end = next.unwrap_or(u32::MAX).min(first.0.saturating_add(NEAR));
        let told = (first.0..=end).find_map(|number| {
            let by = trace.events.context.get(number as usize);
            if by != Some(&context) {
                return None;
            }
            trace.events.get(EventIndex(number))?.priority()
        });
        let registered = || {
            let object = trace.contexts.get(context)?.object?;
            trace.objects.get(object)?.priority
        };
        self.tasks.priority(task, told, registered).map(i64::from)
    }

    /// Nothing is known of what comes behind the end.
    fn close(&mut self, end: Ticks) {
        let now = self.stage.time(end);
        for place in 0..self.cores.len() {
            if let Some(core) = self.cores.get_mut(place) {
                core.now = Runs::Unknown;
            }
            self.stop(now, place);
        }
        for thread in 0..self.tasks.len() {
            self.wait(now, thread, State::Unknown);
            if let Some(track) = self.tasks.end(thread) {
                self.tell(now, track, TaskState::Unknown, None, None);
            }
        }
    }

    fn wait(&mut self, time: u64, thread: usize, state: State) {
        let who = (thread, self.tasks.track(thread));
        self.waits
            .enter(self.stage, &mut self.sequence, time, who, state);
    }

    fn tell(
        &mut self,
        time: u64,
        task: Track,
        state: TaskState,
        core: Option<u8>,
        priority: Option<i64>,
    ) {
        let core = core.map(|core| self.first_core + u64::from(core));
        let (message, packet) = self.stage.packets.at(&mut self.sequence, time);
        // Fields of `GenericKernelTaskStateEvent`: cpu, tid, state, prio.
        let event = message.open(TASK_STATE);
        message.number(1, core.unwrap_or_default());
        message.number(3, task.0);
        message.number(4, state as u64);
        if let Some(priority) = priority {
            message.signed(5, priority);
        }
        message.close(event);
        self.stage.packets.end(packet);
    }
}
