//! Two stories that tests share.

use super::{FIRST, Story, vertex};
use rtoscope_trace::reaction::{Outcome, Role};
use rtoscope_trace::{Address, ContextId, ObjectClass, Party, Reaction, Signal};

pub(crate) const SERVER: ContextId = FIRST;
pub(crate) const WORKER: ContextId = ContextId(FIRST.0 + 1);
pub(crate) const BUTTON: u64 = 0x900;
const TIMER: Address = Address(0x700);
const REQUEST: Signal = Signal(0);
const DONE: Signal = Signal(1);
const TIMEOUT: Signal = Signal(2);

/// A button, a worker with a timer, and a server: with everything that a
/// diagram can show.
pub(crate) fn work() -> Story {
    let object = ObjectClass::ActiveObject;
    Story::default()
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
        .at(0, Reaction::Restart)
        .at(10, initial(SERVER, 0x10))
        .at(12, settle(SERVER, 0x10))
        .at(14, done(SERVER, Outcome::Processed))
        .at(15, Reaction::Activate { object: SERVER })
        .at(20, initial(WORKER, 0x20))
        .at(22, settle(WORKER, 0x20))
        .at(23, done(WORKER, Outcome::Processed))
        .at(24, Reaction::Activate { object: WORKER })
        .at(100, post(SERVER, REQUEST, Party::Other(Address(BUTTON)), 1))
        .at(105, post(SERVER, DONE, Party::Unknown, 2))
        .at(110, take(SERVER, REQUEST, 1))
        .at(112, dispatch(SERVER, REQUEST, 0x10))
        .at(113, transition(SERVER, 0x10, Some(0x11)))
        .at(115, action(SERVER, 0x10, 0x50))
        .at(116, post(WORKER, REQUEST, Party::Object(SERVER), 1))
        .at(118, settle(SERVER, 0x11))
        .at(119, done(SERVER, Outcome::Processed))
        .at(130, take(WORKER, REQUEST, 0))
        .at(131, dispatch(WORKER, REQUEST, 0x20))
        .at(132, transition(WORKER, 0x20, None))
        .at(133, timer_start())
        .at(134, call(WORKER, SERVER))
        .at(135, done(WORKER, Outcome::Processed))
        .at(140, take(SERVER, DONE, 0))
        .at(141, dispatch(SERVER, DONE, 0x11))
        .at(142, done(SERVER, Outcome::Unhandled))
        .at(500, timer_expire())
        .at(501, Reaction::TimerRemove { timer: TIMER })
        .at(502, post(WORKER, TIMEOUT, Party::Unknown, 1))
        .at(510, take(WORKER, TIMEOUT, 0))
        .at(511, dispatch(WORKER, TIMEOUT, 0x20))
        .at(512, transition(WORKER, 0x20, None))
        .at(513, defer())
        .at(514, done(WORKER, Outcome::Processed))
        .gap(3)
        .at(900, front(SERVER, DONE))
        .at(905, take(SERVER, DONE, 0))
        .at(907, Reaction::Restart)
        .at(910, post(SERVER, REQUEST, Party::Object(WORKER), 1))
}

/// A machine with a composite state, a pseudostate, and a state never entered.
pub(crate) fn nested() -> Story {
    let object = ObjectClass::ActiveObject;
    let go = |story: Story, time: u64, signal: u32, from: u64| {
        story
            .at(time, post(SERVER, Signal(signal), Party::Unknown, 1))
            .at(time + 1, take(SERVER, Signal(signal), 0))
            .at(time + 2, dispatch(SERVER, Signal(signal), from))
    };
    let story = Story::default()
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
        .at(4, done(SERVER, Outcome::Processed))
        .at(5, Reaction::Activate { object: SERVER });
    let story = go(story, 100, 0, 0x10)
        .at(103, transition(SERVER, 0x10, Some(0x14)))
        .at(104, exit(0x10))
        .at(105, action(SERVER, 0x10, 0x50))
        .at(106, enter(0x11))
        .at(107, enter(0x12))
        .at(108, settle(SERVER, 0x12))
        .at(109, done(SERVER, Outcome::Processed));
    let story = go(story, 200, 2, 0x12)
        .at(203, transition(SERVER, 0x12, None))
        .at(204, action(SERVER, 0x12, 0x50))
        .at(205, settle(SERVER, 0x12))
        .at(206, done(SERVER, Outcome::Processed));
    go(story, 400, 1, 0x12)
        .at(403, transition(SERVER, 0x11, Some(0x10)))
        .at(404, exit(0x12))
        .at(405, exit(0x11))
        .at(406, enter(0x10))
        .at(407, settle(SERVER, 0x10))
        .at(408, done(SERVER, Outcome::Processed))
        .at(500, Reaction::None)
}

fn initial(object: ContextId, state: u64) -> Reaction {
    let state = vertex(state);
    Reaction::Initial { object, state }
}

fn settle(object: ContextId, state: u64) -> Reaction {
    let state = vertex(state);
    Reaction::Settle { object, state }
}

fn done(object: ContextId, outcome: Outcome) -> Reaction {
    Reaction::Done { object, outcome }
}

fn enter(state: u64) -> Reaction {
    let (object, state) = (SERVER, vertex(state));
    Reaction::Enter { object, state }
}

fn exit(state: u64) -> Reaction {
    let (object, state) = (SERVER, vertex(state));
    Reaction::Exit { object, state }
}

fn post(to: ContextId, signal: Signal, from: Party, queued: u32) -> Reaction {
    Reaction::Post {
        to,
        signal,
        from,
        front: false,
        queued,
    }
}

fn front(to: ContextId, signal: Signal) -> Reaction {
    Reaction::Post {
        to,
        signal,
        from: Party::Object(to),
        front: true,
        queued: 1,
    }
}

fn take(object: ContextId, signal: Signal, left: u32) -> Reaction {
    Reaction::Take {
        object,
        signal,
        left,
    }
}

fn dispatch(object: ContextId, signal: Signal, state: u64) -> Reaction {
    Reaction::Dispatch {
        object,
        signal,
        state: vertex(state),
    }
}

fn transition(object: ContextId, source: u64, target: Option<u64>) -> Reaction {
    Reaction::Transition {
        object,
        source: vertex(source),
        target: target.map(vertex),
    }
}

fn action(object: ContextId, state: u64, function: u64) -> Reaction {
    Reaction::Action {
        object,
        role: Role::Effect,
        state: vertex(state),
        function: Address(function),
    }
}

fn call(from: ContextId, to: ContextId) -> Reaction {
    Reaction::Call {
        function: Address(0x50),
        from: Party::Object(from),
        to: Party::Object(to),
    }
}

fn defer() -> Reaction {
    Reaction::Defer {
        queue: Address(0x600),
        signal: TIMEOUT,
    }
}

fn timer_start() -> Reaction {
    Reaction::TimerStart {
        timer: TIMER,
        object: WORKER,
        ticks: 4,
        period: 0,
    }
}

fn timer_expire() -> Reaction {
    Reaction::TimerExpire {
        timer: TIMER,
        object: WORKER,
        signal: TIMEOUT,
    }
}
