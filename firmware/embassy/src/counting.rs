//! The program's own counts.

use crate::{PRIMASK, TaskStream, tasks};
use core::cell::RefCell;
use core::pin::Pin;
use core::task::{Context, Poll};
use critical_section::Mutex;
use rtoscope_record::hooks::{KernelObserver, StreamObserver};
use rtoscope_record::port::Primask;

/// Number of tasks.
pub(crate) const TASKS: usize = 4;

/// The markers with the numbers of resumed tasks and of interrupts so far, as in
/// `crates/record-c/examples/live.c`.
const SWITCHES: u32 = 4;
const INTERRUPTS: u32 = 5;
/// The markers with the counts at the end: of all interrupts, then of each task.
const TICK_COUNT: u32 = 100;
const TIMER_COUNT: u32 = 101;
const POLLS: u32 = 110;
const RESUMES: u32 = 120;
const READY: u32 = 130;
const WAITS: u32 = 140;

/// The names of the first markers.
pub(crate) const MARKERS: [(u32, &str); 2] = [(SWITCHES, "switches"), (INTERRUPTS, "interrupts")];

/// Counts the calls of the executors' hooks and passes them to the recorder.
pub(crate) struct CountingObserver {
    recorder: StreamObserver<'static, Primask, crate::BoardClock, Primask>,
    stream: &'static TaskStream,
    counts: Mutex<RefCell<Counts>>,
}

struct Counts {
    tasks: [Task; TASKS],
    /// The executors that poll, the interrupted one first.
    executors: [Executor; 2],
    depth: usize,
    switches: u32,
    ticks: u32,
    interrupts: u32,
}

#[derive(Clone, Copy)]
struct Task {
    id: u32,
    /// Polls of its future.
    polls: u32,
    /// Times that it started to run, or continued after an interrupting executor.
    resumes: u32,
    /// Times that it was made ready while it did not run.
    ready: u32,
    /// Times that it returned without being ready.
    waits: u32,
}

#[derive(Clone, Copy)]
struct Executor {
    running: Option<usize>,
    has_run: bool,
    /// Whether the running task was made ready.
    is_woken: bool,
}

const NEW_EXECUTOR: Executor = Executor {
    running: None,
    has_run: false,
    is_woken: false,
};

impl Counts {
    fn number(&self, id: u32) -> Option<usize> {
        self.tasks.iter().position(|task| task.id == id)
    }

    fn executor(&mut self) -> &mut Executor {
        let innermost = self.depth.wrapping_sub(1).min(1);
        &mut self.executors[innermost]
    }

    fn resume(&mut self, number: usize) {
        self.tasks[number].resumes += 1;
        self.switches += 1;
    }
}

impl CountingObserver {
    pub(crate) const fn new(stream: &'static TaskStream) -> Self {
        const NEW: Task = Task {
            id: 0,
            polls: 0,
            resumes: 0,
            ready: 0,
            waits: 0,
        };
        Self {
            recorder: StreamObserver::new(stream, PRIMASK),
            stream,
            counts: Mutex::new(RefCell::new(Counts {
                tasks: [NEW; TASKS],
                executors: [NEW_EXECUTOR; 2],
                depth: 0,
                switches: 0,
                ticks: 0,
                interrupts: 0,
            })),
        }
    }

    /// Counts and records without an interrupt in between.
    fn with<T>(&self, act: impl FnOnce(&mut Counts) -> T) -> T {
        critical_section::with(|section| act(&mut self.counts.borrow_ref_mut(section)))
    }

    /// Names a task before its executor knows it.
    pub(crate) fn add_task(&self, number: usize, id: u32) {
        self.with(|counts| counts.tasks[number].id = id);
        self.recorder.task_new(id, Some(tasks::NAMES[number]));
    }

    /// Counts an interrupt of SysTick, and returns their number.
    pub(crate) fn count_tick(&self) -> u32 {
        self.with(|counts| {
            counts.ticks += 1;
            counts.ticks
        })
    }

    pub(crate) fn ticks(&self) -> u32 {
        self.with(|counts| counts.ticks)
    }

    /// Counts an interrupt of the timer.
    pub(crate) fn count_interrupt(&self) {
        self.with(|counts| counts.interrupts += 1);
    }

    /// Records the numbers of resumed tasks and of interrupts.
    pub(crate) fn write_totals(&self) {
        self.with(|counts| {
            self.stream.marker(SWITCHES, counts.switches);
            let interrupts = counts.ticks.wrapping_add(counts.interrupts);
            self.stream.marker(INTERRUPTS, interrupts);
        });
    }

    /// Records all counts.
    pub(crate) fn write_counts(&self) {
        self.with(|counts| {
            self.stream.marker(TICK_COUNT, counts.ticks);
            self.stream.marker(TIMER_COUNT, counts.interrupts);
            for (number, task) in (0..).zip(&counts.tasks) {
                self.stream.marker(POLLS + number, task.polls);
                self.stream.marker(RESUMES + number, task.resumes);
                self.stream.marker(READY + number, task.ready);
                self.stream.marker(WAITS + number, task.waits);
            }
        });
    }
}

impl KernelObserver for CountingObserver {
    fn task_new(&self, task: u32, name: Option<&'static str>) {
        self.recorder.task_new(task, name);
    }

    fn task_terminated(&self, task: u32) {
        self.recorder.task_terminated(task);
    }

    fn task_ready(&self, task: u32) {
        self.with(|counts| {
            if let Some(number) = counts.number(task) {
                let depth = counts.depth;
                let mut executors = counts.executors.iter_mut().take(depth);
                match executors.find(|executor| executor.running == Some(number)) {
                    Some(executor) => executor.is_woken = true,
                    None => counts.tasks[number].ready += 1,
                }
            }
            self.recorder.task_ready(task);
        });
    }

    fn task_blocked(&self, task: u32) {
        self.recorder.task_blocked(task);
    }

    fn task_exec_begin(&self, task: u32) {
        self.with(|counts| {
            let running = counts.number(task);
            *counts.executor() = Executor {
                running,
                has_run: true,
                is_woken: false,
            };
            if let Some(number) = running {
                counts.resume(number);
            }
            self.recorder.task_exec_begin(task);
        });
    }

    fn task_exec_end(&self) {
        self.with(|counts| {
            let executor = counts.executor();
            let is_woken = executor.is_woken;
            if let Some(number) = executor.running.take().filter(|_| !is_woken) {
                counts.tasks[number].waits += 1;
            }
            self.recorder.task_exec_end();
        });
    }

    fn poll_begin(&self, executor: u32) {
        self.with(|counts| {
            counts.depth += 1;
            *counts.executor() = NEW_EXECUTOR;
            self.recorder.poll_begin(executor);
        });
    }

    fn poll_end(&self, executor: u32) {
        self.with(|counts| {
            let has_run = counts.executor().has_run;
            counts.depth -= 1;
            if counts.depth > 0 && has_run {
                if let Some(number) = counts.executor().running {
                    counts.resume(number);
                }
            }
            self.recorder.poll_end(executor);
        });
    }

    fn system_idle(&self) {
        self.recorder.system_idle();
    }

    fn isr_enter(&self) {
        self.recorder.isr_enter();
    }

    fn isr_exit(&self) {
        self.recorder.isr_exit();
    }

    fn marker(&self, number: u32) {
        self.recorder.marker(number);
    }

    fn marker_begin(&self, number: u32) {
        self.recorder.marker_begin(number);
    }

    fn marker_end(&self, number: u32) {
        self.recorder.marker_end(number);
    }
}

/// A task's future that counts its polls.
pub(crate) struct Counted<F> {
    number: usize,
    future: F,
}

impl<F: Future> Counted<F> {
    pub(crate) const fn new(number: usize, future: F) -> Self {
        Self { number, future }
    }
}

impl<F: Future> Future for Counted<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        crate::TASKS.with(|counts| counts.tasks[self.number].polls += 1);
        // SAFETY: the future is pinned with its owner, and moved nowhere.
        let future = unsafe { self.map_unchecked_mut(|counted| &mut counted.future) };
        future.poll(context)
    }
}
