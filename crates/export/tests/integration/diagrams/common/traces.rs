//! Two handmade traces that tests share.

use super::{FIRST, TraceBuilder, vertex};
use rtoscope_trace::active_object::{ActionRole, StepOutcome};
use rtoscope_trace::{ActiveObjectEvent, Address, ContextId, Endpoint, ObjectClass, Signal};

pub(crate) const SERVER: ContextId = FIRST;
pub(crate) const WORKER: ContextId = ContextId(FIRST.0 + 1);
pub(crate) const BUTTON: u64 = 0x900;
const TIMER: Address = Address(0x700);
const REQUEST: Signal = Signal(0);
const DONE: Signal = Signal(1);
const TIMEOUT: Signal = Signal(2);

/// A button, a worker with a timer, and a server: all elements of a sequence
/// diagram.
pub(crate) fn work() -> TraceBuilder {
    let object = ObjectClass::ActiveObject;
    TraceBuilder::default()
        .name(object, 0x100, b"server")
        .name(object, 0x200, b"worker")
        .name(ObjectClass::Actor, BUTTON, b"button")
        .name(ObjectClass::Timer, TIMER.0, b"pause")
        .name(ObjectClass::Queue, 0x600, b"later")
        .name(ObjectClass::Signal, 0, b"REQUEST")
        .name(ObjectClass::Signal, 1, b"DONE")
        .name(ObjectClass::Signal, 2, b"TIMEOUT")
        .name(ObjectClass::Function, 0x50, b"start_work")
        .vertex(ObjectClass::State, 0x100, 0x10, b"idle")
        .vertex(ObjectClass::State, 0x100, 0x11, b"busy")
        .vertex(ObjectClass::State, 0x200, 0x20, b"ready")
        .at(0, ActiveObjectEvent::Restart)
        .at(10, initial(SERVER, 0x10))
        .at(12, settle(SERVER, 0x10))
        .at(14, done(SERVER, StepOutcome::Processed))
        .at(15, ActiveObjectEvent::Activate { object: SERVER })
        .at(20, initial(WORKER, 0x20))
        .at(22, settle(WORKER, 0x20))
        .at(23, done(WORKER, StepOutcome::Processed))
        .at(24, ActiveObjectEvent::Activate { object: WORKER })
        .at(
            100,
            post(SERVER, REQUEST, Endpoint::Other(Address(BUTTON)), 1),
        )
        .at(105, post(SERVER, DONE, Endpoint::Unknown, 2))
        .at(110, take(SERVER, REQUEST, 1))
        .at(112, dispatch(SERVER, REQUEST, 0x10))
        .at(113, transition(SERVER, 0x10, Some(0x11)))
        .at(115, action(SERVER, 0x10, 0x50))
        .at(116, post(WORKER, REQUEST, Endpoint::Object(SERVER), 1))
        .at(118, settle(SERVER, 0x11))
        .at(119, done(SERVER, StepOutcome::Processed))
        .at(130, take(WORKER, REQUEST, 0))
        .at(131, dispatch(WORKER, REQUEST, 0x20))
        .at(132, transition(WORKER, 0x20, None))
        .at(133, timer_start())
        .at(134, call(WORKER, SERVER))
        .at(135, done(WORKER, StepOutcome::Processed))
        .at(140, take(SERVER, DONE, 0))
        .at(141, dispatch(SERVER, DONE, 0x11))
        .at(142, done(SERVER, StepOutcome::Unhandled))
        .at(500, timer_expire())
        .at(501, ActiveObjectEvent::TimerRemove { timer: TIMER })
        .at(502, post(WORKER, TIMEOUT, Endpoint::Unknown, 1))
        .at(510, take(WORKER, TIMEOUT, 0))
        .at(511, dispatch(WORKER, TIMEOUT, 0x20))
        .at(512, transition(WORKER, 0x20, None))
        .at(513, defer())
        .at(514, done(WORKER, StepOutcome::Processed))
        .gap(3)
        .at(900, front(SERVER, DONE))
        .at(905, take(SERVER, DONE, 0))
        .restart()
        .at(907, ActiveObjectEvent::Restart)
        .at(910, post(SERVER, REQUEST, Endpoint::Object(WORKER), 1))
}

/// A machine with a composite state, a pseudostate, and a state never entered.
pub(crate) fn nested() -> TraceBuilder {
    let object = ObjectClass::ActiveObject;
    let go = |story: TraceBuilder, time: u64, signal: u32, from: u64| {
        story
            .at(time, post(SERVER, Signal(signal), Endpoint::Unknown, 1))
            .at(time + 1, take(SERVER, Signal(signal), 0))
            .at(time + 2, dispatch(SERVER, Signal(signal), from))
    };
    let story = TraceBuilder::default()
        .name(object, 0x100, b"lamp")
        .name(ObjectClass::Signal, 0, b"ON")
        .name(ObjectClass::Signal, 1, b"OFF")
        .name(ObjectClass::Signal, 2, b"DIM")
        .name(ObjectClass::Function, 0x50, b"glow")
        .vertex(ObjectClass::State, 0x100, 0x10, b"off")
        .vertex(ObjectClass::State, 0x100, 0x11, b"on")
        .vertex(ObjectClass::State, 0x100, 0x12, b"bright")
        .vertex(ObjectClass::State, 0x100, 0x13, b"broken")
        .vertex(ObjectClass::Pseudostate, 0x100, 0x14, b"last")
        .at(0, initial(SERVER, 0x10))
        .at(1, transition(SERVER, 0x10, Some(0x10)))
        .at(2, enter(0x10))
        .at(3, settle(SERVER, 0x10))
        .at(4, done(SERVER, StepOutcome::Processed))
        .at(5, ActiveObjectEvent::Activate { object: SERVER });
    let story = go(story, 100, 0, 0x10)
        .at(103, transition(SERVER, 0x10, Some(0x14)))
        .at(104, exit(0x10))
        .at(105, action(SERVER, 0x10, 0x50))
        .at(106, enter(0x11))
        .at(107, enter(0x12))
        .at(108, settle(SERVER, 0x12))
        .at(109, done(SERVER, StepOutcome::Processed));
    let story = go(story, 200, 2, 0x12)
        .at(203, transition(SERVER, 0x12, None))
        .at(204, action(SERVER, 0x12, 0x50))
        .at(205, settle(SERVER, 0x12))
        .at(206, done(SERVER, StepOutcome::Processed));
    go(story, 400, 1, 0x12)
        .at(403, transition(SERVER, 0x11, Some(0x10)))
        .at(404, exit(0x12))
        .at(405, exit(0x11))
        .at(406, enter(0x10))
        .at(407, settle(SERVER, 0x10))
        .at(408, done(SERVER, StepOutcome::Processed))
        .at(500, ActiveObjectEvent::None)
}

fn initial(object: ContextId, state: u64) -> ActiveObjectEvent {
    let state = vertex(state);
    ActiveObjectEvent::Initial { object, state }
}

fn settle(object: ContextId, state: u64) -> ActiveObjectEvent {
    let state = vertex(state);
    ActiveObjectEvent::Settle { object, state }
}

fn done(object: ContextId, outcome: StepOutcome) -> ActiveObjectEvent {
    ActiveObjectEvent::Done { object, outcome }
}

fn enter(state: u64) -> ActiveObjectEvent {
    let (object, state) = (SERVER, vertex(state));
    ActiveObjectEvent::Enter { object, state }
}

fn exit(state: u64) -> ActiveObjectEvent {
    let (object, state) = (SERVER, vertex(state));
    ActiveObjectEvent::Exit { object, state }
}

fn post(to: ContextId, signal: Signal, from: Endpoint, queued: u32) -> ActiveObjectEvent {
    ActiveObjectEvent::Post {
        to,
        signal,
        from,
        front: false,
        queued,
    }
}

fn front(to: ContextId, signal: Signal) -> ActiveObjectEvent {
    ActiveObjectEvent::Post {
        to,
        signal,
        from: Endpoint::Object(to),
        front: true,
        queued: 1,
    }
}

fn take(object: ContextId, signal: Signal, left: u32) -> ActiveObjectEvent {
    ActiveObjectEvent::Take {
        object,
        signal,
        remaining: left,
    }
}

fn dispatch(object: ContextId, signal: Signal, state: u64) -> ActiveObjectEvent {
    ActiveObjectEvent::Dispatch {
        object,
        signal,
        state: vertex(state),
    }
}

fn transition(object: ContextId, source: u64, target: Option<u64>) -> ActiveObjectEvent {
    ActiveObjectEvent::Transition {
        object,
        source: vertex(source),
        target: target.map(vertex),
    }
}

fn action(object: ContextId, state: u64, function: u64) -> ActiveObjectEvent {
    ActiveObjectEvent::Action {
        object,
        role: ActionRole::Effect,
        state: vertex(state),
        function: Address(function),
    }
}

fn call(from: ContextId, to: ContextId) -> ActiveObjectEvent {
    ActiveObjectEvent::Call {
        function: Address(0x50),
        from: Endpoint::Object(from),
        to: Endpoint::Object(to),
    }
}

fn defer() -> ActiveObjectEvent {
    ActiveObjectEvent::Defer {
        queue: Address(0x600),
        signal: TIMEOUT,
    }
}

fn timer_start() -> ActiveObjectEvent {
    ActiveObjectEvent::TimerStart {
        timer: TIMER,
        object: WORKER,
        ticks: 4,
        period: 0,
    }
}

fn timer_expire() -> ActiveObjectEvent {
    ActiveObjectEvent::TimerExpire {
        timer: TIMER,
        object: WORKER,
        signal: TIMEOUT,
    }
}
