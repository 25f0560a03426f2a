//! Follows a path back in time.

use super::{
    BlockedWait, CriticalPath, CriticalPathOptions, PathCause, PathContext, PathOrigin,
    PathSegment, Resumption,
};
use crate::PackedVec;
use crate::active::ActiveObjects;
use crate::schedule::{
    DelayCause, DelayCauses, DelayPart, IsrActivationId, Schedule, ThreadState, ThreadStateInterval,
};
use rtoscope_trace::{
    ContextId, Contexts, EventIndex, ObjectClass, ResourceId, Ticks, Trace, WaitReason,
};
use std::ops::{ControlFlow, Range};

/// Finds critical paths. It holds an index of the schedule: create it once for many paths.
#[derive(Debug, Clone)]
pub struct CriticalPathFinder<'s> {
    trace: &'s Trace,
    schedule: &'s Schedule,
    active: &'s ActiveObjects,
    causes: DelayCauses<'s>,
}

impl<'s> CriticalPathFinder<'s> {
    /// Indexes the schedule of a trace.
    pub fn new(trace: &'s Trace, schedule: &'s Schedule, active: &'s ActiveObjects) -> Self {
        Self {
            trace,
            schedule,
            active,
            causes: DelayCauses::new(trace, schedule),
        }
    }

    /// The path to an event; `None` if there is no such event. The cost grows with the
    /// number of slices that the segments cover, and with the logarithm of the trace.
    pub fn path(&self, event: EventIndex, options: CriticalPathOptions) -> Option<CriticalPath> {
        let end = self.trace.events.time(event)?;
        let mut walk = Walk {
            finder: self,
            from: options.from.unwrap_or_default().0,
            is_windowed: options.from.is_some(),
            max_segments: options.max_segments.max(1),
            segments: Vec::new(),
            waits: Vec::new(),
            context: Followed::Thread(ContextId::UNKNOWN),
            at: end.0,
            event,
        };
        let own = self.trace.events.context(event);
        let mut flow = match options.context.filter(|it| Some(*it) != own) {
            Some(thread) => {
                walk.context = Followed::Thread(thread);
                ControlFlow::Continue(())
            }
            None => walk.enter(event, None),
        };
        let origin = loop {
            match flow {
                ControlFlow::Break(origin) => break origin,
                ControlFlow::Continue(()) => flow = walk.step(),
            }
        };
        let mut segments = walk.segments;
        let context = options.context.or(own).unwrap_or(ContextId::UNKNOWN);
        let context = segments
            .first()
            .map_or(PathContext::Context(context), |last| last.context);
        segments.reverse();
        Some(CriticalPath {
            event,
            context,
            start: segments.first().map_or(end, |first| first.start),
            end,
            origin,
            segments,
        })
    }
}

/// A path as far as it is known, from its end back.
struct Walk<'f, 's> {
    finder: &'f CriticalPathFinder<'s>,
    /// The path goes back to this tick at most.
    from: u64,
    /// Whether it goes back to there beyond the first cause.
    is_windowed: bool,
    max_segments: usize,
    /// The last segment first.
    segments: Vec<PathSegment>,
    /// The waits that the path has followed to another context. Those to which it returns
    /// begin later and later.
    waits: Vec<FollowedWait>,
    context: Followed,
    /// The path is known from this tick on,
    at: u64,
    /// and from this event on.
    event: EventIndex,
}

/// A context that a path follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Followed {
    Thread(ContextId),
    Isr(IsrActivationId),
}

/// A wait whose end the path has followed to another context.
#[derive(Debug, Clone, Copy)]
struct FollowedWait {
    blocked: BlockedWait,
    start: u64,
    event: EventIndex,
    /// Whether the path returns to the thread at the start of the wait.
    returns: bool,
}

type Flow = ControlFlow<PathOrigin>;

impl Walk<'_, '_> {
    /// Goes back by one state of a context.
    fn step(&mut self) -> Flow {
        if self.segments.len() >= self.max_segments {
            return ControlFlow::Break(PathOrigin::Limit);
        }
        if self.at <= self.from {
            return ControlFlow::Break(match self.from {
                0 => PathOrigin::TraceStart,
                _ => PathOrigin::Window,
            });
        }
        if let Some(index) = self.returning_wait()
            && let Some(wait) = self.waits.get(index).copied()
            && self.at <= wait.start
        {
            self.waits.truncate(index);
            self.return_to(&wait);
            return ControlFlow::Continue(());
        }
        match self.context {
            Followed::Thread(thread) => self.follow_thread(thread),
            Followed::Isr(activation) => self.follow_isr(activation),
        }
    }

    /// The earliest tick that the path may reach before it returns or ends.
    fn floor(&self) -> u64 {
        let wait = self.returning_wait().and_then(|it| self.waits.get(it));
        wait.map_or(self.from, |wait| wait.start.max(self.from))
    }

    fn returning_wait(&self) -> Option<usize> {
        self.waits.iter().rposition(|wait| wait.returns)
    }

    fn return_to(&mut self, wait: &FollowedWait) {
        self.context = Followed::Thread(wait.blocked.thread);
        self.event = self.event.min(wait.event);
    }

    /// Continues in the context of an event, which ends a wait.
    fn enter(&mut self, event: EventIndex, resumes: Option<Resumption>) -> Flow {
        let finder = self.finder;
        let context = finder.trace.events.context(event);
        let context = context.unwrap_or(ContextId::UNKNOWN);
        self.event = event;
        let followed = match context {
            Contexts::INTERRUPT => {
                let core = finder.trace.events.core(event).unwrap_or_default();
                let found = finder.schedule.isr_at(event, core);
                let Some((id, activation)) = found else {
                    let number = None;
                    self.push_point(PathContext::Isr { core, number }, resumes);
                    return self.end(PathOrigin::InterruptEntryNotRecorded);
                };
                let number = activation.number;
                self.push_point(PathContext::Isr { core, number }, resumes);
                Followed::Isr(id)
            }
            context => {
                self.push_point(PathContext::Context(context), resumes);
                match context {
                    Contexts::INITIALIZE => return self.end(PathOrigin::Initialize),
                    Contexts::IDLE | ContextId::UNKNOWN => {
                        return self.end(PathOrigin::NotRecorded);
                    }
                    thread => Followed::Thread(thread),
                }
            }
        };
        self.context = followed;
        ControlFlow::Continue(())
    }

    /// The path has come to a cause that has none itself: it ends, unless it has followed
    /// a wait to which it returns. Until then it goes on in the last context that waited.
    fn end(&mut self, origin: PathOrigin) -> Flow {
        while let Some(wait) = self.waits.pop() {
            if wait.returns || self.is_windowed || self.returning_wait().is_some() {
                self.push_wait(wait.blocked.thread, wait.start);
                self.return_to(&wait);
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(origin)
    }

    fn follow_isr(&mut self, id: IsrActivationId) -> Flow {
        let schedule = self.finder.schedule;
        let Some(activation) = schedule.activations.get(id.index()) else {
            return self.end(PathOrigin::InterruptEntryNotRecorded);
        };
        let (core, number) = (activation.core, activation.number);
        let start = activation.start.0.max(self.floor()).min(self.at);
        let parts = self
            .finder
            .causes
            .isr_breakdown(number, core, start..self.at);
        self.push_parts(PathContext::Isr { core, number }, &parts);
        self.at = start;
        if activation.start.0 < start {
            return ControlFlow::Continue(());
        }
        self.event = self.event.min(activation.first);
        // A routine that logs no entry begins with its first event, as far as known.
        self.end(match activation.entered {
            true => PathOrigin::Interrupt,
            false => PathOrigin::InterruptEntryNotRecorded,
        })
    }

    fn follow_thread(&mut self, thread: ContextId) -> Flow {
        if let Some(step) = self.finder.active.step_at(thread, self.event) {
            let (start, first, post) = (step.start.0, step.first, step.post);
            return self.follow_step(thread, start, first, post);
        }
        let intervals = self.finder.schedule.thread_states(thread);
        let Some((index, interval)) = self.interval_before(intervals) else {
            return self.end(PathOrigin::NotRecorded);
        };
        match interval.state {
            ThreadState::Running | ThreadState::Ready => {
                self.follow_run(thread, intervals, index);
                ControlFlow::Continue(())
            }
            ThreadState::Waiting {
                wait_reason,
                resource,
            } => {
                let blocked = BlockedWait {
                    thread,
                    wait_reason,
                    resource,
                };
                self.follow_wait(blocked, index, &interval)
            }
            ThreadState::Unknown | ThreadState::Deleted => self.end(PathOrigin::NotRecorded),
        }
    }

    /// The state of a thread just before the known part of the path.
    fn interval_before(
        &self,
        intervals: &PackedVec<ThreadStateInterval>,
    ) -> Option<(usize, ThreadStateInterval)> {
        let begun = intervals.partition_point(|it| it.start.0 <= self.at);
        let mut before = intervals.range(0..begun).enumerate().rev();
        before.find(|(_, it)| it.start.0 < self.at || it.event < self.event)
    }

    /// A thread that runs or is ready: goes back to its last wait, in bounded portions.
    fn follow_run(
        &mut self,
        thread: ContextId,
        intervals: &PackedVec<ThreadStateInterval>,
        last: usize,
    ) {
        let lower = self.floor().max(self.portion_start());
        let is_runnable = |index: usize| {
            let state = intervals.get(index).map(|it| it.state);
            matches!(state, Some(ThreadState::Running | ThreadState::Ready))
        };
        let start_of = |index: usize| intervals.get(index).map_or(0, |it| it.start.0);
        let mut first = last;
        while first > 0 && start_of(first) > lower && is_runnable(first - 1) {
            first -= 1;
        }
        let start = start_of(first).max(lower).min(self.at);
        let parts = self.finder.causes.breakdown(thread, start..self.at);
        self.push_parts(PathContext::Context(thread), &parts);
        self.at = start;
        if let Some(interval) = intervals.get(first).filter(|it| it.start.0 >= start) {
            self.event = self.event.min(interval.event);
        }
    }

    /// A tick before which one portion of the path does not go, so that the cost of a
    /// path that is too long is bounded.
    fn portion_start(&self) -> u64 {
        let cores = self.finder.schedule.cores.iter();
        let starts = cores.filter_map(|core| {
            let begun = core.slices.partition_point(|it| it.start.0 < self.at);
            let first = begun.checked_sub(self.max_segments)?;
            core.slices.get(first).map(|slice| slice.start.0)
        });
        starts.max().unwrap_or_default()
    }

    fn follow_wait(
        &mut self,
        blocked: BlockedWait,
        index: usize,
        interval: &ThreadStateInterval,
    ) -> Flow {
        let (start, thread) = (interval.start.0, blocked.thread);
        let finder = self.finder;
        let wake_up = finder.schedule.wake_up_at(thread, index + 1);
        let wake_up = wake_up.filter(|it| {
            let resumed_by_other = finder.trace.events.context(it.cause()) != Some(thread);
            it.ready.start.0 == self.at && it.cause() <= self.event && resumed_by_other
        });
        let wait = FollowedWait {
            blocked,
            start,
            event: interval.event,
            returns: false,
        };
        let Some(wake_up) = wake_up else {
            self.push_wait(thread, start);
            if self.is_windowed || self.returning_wait().is_some() {
                self.return_to(&wait);
                return ControlFlow::Continue(());
            }
            return self.end(PathOrigin::ResumptionNotRecorded);
        };
        let event = wake_up.cause();
        let returns = start > self.floor() && self.is_given_back(&blocked, event);
        if self.waits.last().is_some_and(|last| !last.returns) {
            self.waits.pop();
        }
        self.waits.push(FollowedWait { returns, ..wait });
        let resumption = Resumption {
            event,
            context: thread,
            wait_reason: Some(blocked.wait_reason),
            resource: blocked.resource,
        };
        self.enter(event, Some(resumption))
    }

    /// Whether a thread waits for something that others hold and give back: a mutex,
    /// memory, or room in a queue.
    fn is_given_back(&self, wait: &BlockedWait, resumption: EventIndex) -> bool {
        match wait.wait_reason {
            WaitReason::Mutex | WaitReason::BlockPool | WaitReason::BytePool => true,
            // A thread that is resumed with a message has taken it.
            WaitReason::Queue => wait
                .resource
                .is_some_and(|queue| self.is_queue(queue) && !self.takes(queue, resumption)),
            _ => false,
        }
    }

    fn is_queue(&self, resource: ResourceId) -> bool {
        let resource = self.finder.schedule.resources.get(resource.index());
        resource.is_some_and(|it| it.class == ObjectClass::Queue)
    }

    /// Whether the resumption of a thread takes something from an object.
    fn takes(&self, resource: ResourceId, resumption: EventIndex) -> bool {
        let transfers = &self.finder.schedule.transfers;
        let first = transfers.partition_point(|it| it.take < resumption);
        let rest = transfers.range(first..transfers.len());
        rest.take_while(|it| it.take == resumption)
            .any(|it| it.resource == resource)
    }

    /// A step of an active object: back to the post of its event.
    fn follow_step(
        &mut self,
        object: ContextId,
        start: u64,
        first: EventIndex,
        post: Option<crate::active::PostId>,
    ) -> Flow {
        let finder = self.finder;
        let from = start.max(self.floor()).min(self.at);
        let mut parts = finder.causes.breakdown(object, from..self.at);
        for part in &mut parts {
            if matches!(part.cause, DelayCause::Unknown | DelayCause::OffCore(_)) {
                part.cause = DelayCause::Running;
            }
        }
        self.push_parts(PathContext::Context(object), &parts);
        self.at = from;
        self.event = self.event.min(first);
        if start < from {
            return ControlFlow::Continue(());
        }
        let post = post.and_then(|post| finder.active.posts.get(post.index()));
        let Some(post) = post.filter(|post| post.event < first) else {
            return self.end(PathOrigin::ResumptionNotRecorded);
        };
        let posted = post.time.0.max(self.floor()).min(self.at);
        self.push(
            PathContext::Context(object),
            posted..self.at,
            post.event,
            PathCause::Queued,
            None,
        );
        self.at = posted;
        if post.time.0 < posted {
            return ControlFlow::Continue(());
        }
        let resumption = Resumption {
            event: post.event,
            context: object,
            wait_reason: None,
            resource: None,
        };
        self.enter(post.event, Some(resumption))
    }

    /// Adds the wait of a thread from `start` to the known part of the path.
    fn push_wait(&mut self, thread: ContextId, start: u64) {
        let start = start.max(self.floor()).min(self.at);
        let parts = self.finder.causes.breakdown(thread, start..self.at);
        self.push_parts(PathContext::Context(thread), &parts);
        self.at = start;
    }

    /// Adds the arrival of the path in a context, which may do nothing else.
    fn push_point(&mut self, context: PathContext, resumes: Option<Resumption>) {
        let running = PathCause::Delay(DelayCause::Running);
        self.push(context, self.at..self.at, self.event, running, resumes);
    }

    fn push_parts(&mut self, context: PathContext, parts: &[DelayPart]) {
        for part in parts.iter().rev() {
            let cause = PathCause::Delay(part.cause);
            let window = part.start.0..part.end.0;
            self.push(context, window, part.event, cause, None);
        }
    }

    /// Adds a segment before the others; merges it with the first of them if that has the
    /// same context and cause.
    fn push(
        &mut self,
        context: PathContext,
        window: Range<u64>,
        event: EventIndex,
        cause: PathCause,
        resumes: Option<Resumption>,
    ) {
        let wait = self.returning_wait().and_then(|it| self.waits.get(it));
        let blocks = wait.map(|wait| wait.blocked);
        if let Some(next) = self.segments.last_mut()
            && resumes.is_none()
            && next.start.0 == window.end
            && (next.context, next.cause, next.blocks) == (context, cause, blocks)
        {
            next.start = Ticks(window.start);
            next.event = event.min(next.event);
            return;
        }
        let is_point = window.is_empty() && !self.segments.is_empty() && resumes.is_none();
        if is_point || self.segments.len() >= self.max_segments {
            return;
        }
        self.segments.push(PathSegment {
            context,
            start: Ticks(window.start),
            end: Ticks(window.end),
            event,
            cause,
            blocks,
            resumes,
        });
    }
}
