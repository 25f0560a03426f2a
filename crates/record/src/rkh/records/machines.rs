//! State machines, and the expectations of their unit tests.

use super::widths::Widths;
use super::{passes, records};
use crate::port::{Clock, Mask};
use crate::rkh::packed::PackedArguments;
use crate::rkh::value::WireNumber;
use crate::rkh::{ActionRole, ActiveObject, Address, ExpectedEvent, RkhRecorder, StreamSetup};

records! {
    /// `RKH_TR_SM_INIT`: a state machine was started.
    sm_init = 0x60 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), initial: Address = Object(State),
    }
    /// `RKH_TR_SM_CLRH`: a history was cleared.
    sm_clrh = 0x61 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), history: Address = Object(Pseudostate),
    }
    /// `RKH_TR_SM_TRN`: a transition was taken; the target is [`Address::NONE`] for an
    /// internal transition.
    sm_trn = 0x62 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), source: Address = Object(State),
        target: Address = Object(Vertex),
    }
    /// `RKH_TR_SM_STATE`: a stable state was reached.
    sm_state = 0x63 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), state: Address = Object(State),
    }
    /// `RKH_TR_SM_ENSTATE`: a state was entered.
    sm_enstate = 0x64 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), state: Address = Object(State),
    }
    /// `RKH_TR_SM_EXSTATE`: a state was exited.
    sm_exstate = 0x65 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), state: Address = Object(State),
    }
    /// `RKH_TR_SM_NENEX`: the numbers of entered and exited states.
    sm_nenex = 0x66 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), entered: u8 = Count, left: u8 = Count,
    }
    /// `RKH_TR_SM_NTRNACT`: the numbers of actions and segments of a transition.
    sm_ntrnact = 0x67 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), actions: u8 = Count, segments: u8 = Count,
    }
    /// `RKH_TR_SM_TS_STATE`: the target vertex of a segment.
    sm_ts_state = 0x68 Object(ao) {
        ao: ActiveObject = Object(ActiveObject), vertex: Address = Object(Vertex),
    }
    /// `RKH_TR_SM_EVT_PROC`: an event was processed.
    sm_evt_proc = 0x69 Object(ao) { ao: ActiveObject = Object(ActiveObject) }
    /// `RKH_TR_SM_EVT_NFOUND`: no transition handles an event.
    sm_evt_nfound = 0x6A Signal(ao, signal) {
        ao: ActiveObject = Object(ActiveObject), signal: u32 = Signal,
    }
    /// `RKH_TR_SM_GRD_FALSE`: a guard prevented a transition.
    sm_grd_false = 0x6B Object(ao) { ao: ActiveObject = Object(ActiveObject) }
    /// `RKH_TR_SM_CND_NFOUND`: no branch of a condition was true.
    sm_cnd_nfound = 0x6C Object(ao) { ao: ActiveObject = Object(ActiveObject) }
    /// `RKH_TR_SM_UNKN_STATE`: a state was unknown.
    sm_unkn_state = 0x6D Object(ao) { ao: ActiveObject = Object(ActiveObject) }
    /// `RKH_TR_SM_EX_HLEVEL`: states were nested too deeply.
    sm_ex_hlevel = 0x6E Object(ao) { ao: ActiveObject = Object(ActiveObject) }
    /// `RKH_TR_SM_EX_TSEG`: a transition had too many segments.
    sm_ex_tseg = 0x6F Object(ao) { ao: ActiveObject = Object(ActiveObject) }
    /// `RKH_TR_SM_EXE_ACT`: an action was executed.
    sm_exe_act = 0x70 Object(ao) {
        role: ActionRole = Role, ao: ActiveObject = Object(ActiveObject),
        state: Address = Object(State), action: Address = Function,
    }
    /// `RKH_TR_SM_DCH`: an event was dispatched in a state.
    sm_dch = 0x71 Signal(ao, signal) {
        ao: ActiveObject = Object(ActiveObject), signal: u32 = Signal,
        state: Address = Object(State),
    }

    /// `RKH_TE_UT_INIT`: a unit test starts at this source line.
    ut_init = 0xE0 Never { line: u32 = Line32 }
    /// `RKH_TE_UT_CLEANUP`: the expectations of a unit test are cleared.
    ut_cleanup = 0xE1 Never { line: u32 = Line32 }
    /// `RKH_TE_UT_VERIFY`: all expectations must be fulfilled.
    ut_verify = 0xE2 Never { line: u32 = Line32 }
    /// `RKH_TE_UT_IGNORE_GROUP`: records of a group are ignored.
    ut_ignore_group = 0xE3 Never { line: u32 = Line32, group: u8 = GroupId }
    /// `RKH_TE_UT_EXPECT_ANYARGS`: an event is expected with any arguments.
    ut_expect_anyargs = 0xE5 Never { line: u32 = Line32, event: u8 = FullEventId }
    /// `RKH_TE_UT_IGNORE`: an event is ignored.
    ut_ignore = 0xE6 Never { line: u32 = Line32, event: u8 = FullEventId }
    /// `RKH_TE_UT_IGNORE_ARG`: an argument of an event is ignored; arguments are counted
    /// from 0.
    ut_ignore_arg = 0xE7 Never {
        line: u32 = Line32, event: u8 = FullEventId, argument: u8 = ArgumentIndex,
    }
}

/// `RKH_TE_UT_EXPECT` of RKH 3.
const EXPECT: u8 = 0xE4;

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// `RKH_TE_UT_EXPECT`: a record of a state machine is expected next. The machine is
    /// omitted, because a unit test has only one.
    pub fn ut_expect(&self, line: u32, expected: ExpectedEvent) {
        if self.passing.always() {
            let arguments = PackedArguments::new()
                .with(line, Widths::<S>::Line32)
                .with(expected.id().into(), Widths::<S>::EventId);
            let object = |address: Address| (address.0, Widths::<S>::Object);
            let count = |count: u8| (count.into(), Widths::<S>::Count);
            let none = (0, 0);
            let [first, second, third] = match expected {
                ExpectedEvent::Init(one)
                | ExpectedEvent::Clrh(one)
                | ExpectedEvent::State(one)
                | ExpectedEvent::Enstate(one)
                | ExpectedEvent::Exstate(one)
                | ExpectedEvent::TsState(one) => [object(one), none, none],
                ExpectedEvent::Trn(source, target) => [object(source), object(target), none],
                ExpectedEvent::Nenex(entered, left) => [count(entered), count(left), none],
                ExpectedEvent::Ntrnact(actions, segments) => {
                    [count(actions), count(segments), none]
                }
                ExpectedEvent::EvtNfound(signal) => [(signal, Widths::<S>::Signal), none, none],
                ExpectedEvent::ExeAct(role, state, action) => [
                    (role.number(), Widths::<S>::Role),
                    object(state),
                    (action.0, Widths::<S>::Function),
                ],
                ExpectedEvent::Dch(signal, state) => {
                    [(signal, Widths::<S>::Signal), object(state), none]
                }
                _ => [none; 3],
            };
            let arguments = arguments
                .with(first.0, first.1)
                .with(second.0, second.1)
                .with(third.0, third.1);
            self.record_with(EXPECT, arguments.bytes, |cursor| arguments.write(cursor));
        }
    }
}
