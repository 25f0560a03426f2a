//! Run-to-completion steps.

use super::application::Application;
use super::events::{RkhEvent, Signal};
use super::machine::{Effect, SelectedTransition};
use super::truth_builder::StepEnding;
use rtoscope_record::rkh::{ActionRole, Address};

impl Application<'_> {
    /// An object handles the next event in its queue.
    pub(super) fn step(&mut self, number: u8) {
        let tracer = &mut self.tracer;
        let Some(object) = self.objects.get_mut(usize::from(number)) else {
            return;
        };
        let ao = object.ao();
        let Some(mut event) = object.queue.take(tracer, false) else {
            return;
        };
        let (signal, pool) = (event.signal.number(), event.pool_from_one());
        let (left, min_free) = (object.queue.len(), object.queue.min_free.into());
        let (references, before) = (event.references, object.machine.vertex(object.state));
        let taken = tracer.put("SMA GET", |recorder| {
            recorder.sma_get(ao, signal, pool, references, left, min_free);
        });
        tracer.truth.begin(number, taken);
        let reaction = self.respond(number, &event);
        for _ in 0..reaction.guards_false {
            let time = self
                .tracer
                .put("SM GRD_FALSE", |recorder| recorder.sm_grd_false(ao));
            self.tracer.truth.guard_false(number, time);
        }
        self.tracer
            .put("SM DCH", |recorder| recorder.sm_dch(ao, signal, before));
        self.apply_transition(number, reaction.transition, &mut event);
        self.release(&event, ao.address);
    }

    /// Performs the selected transition and ends the step.
    fn apply_transition(&mut self, number: u8, taken: SelectedTransition, event: &mut RkhEvent) {
        let Some(object) = self.objects.get(usize::from(number)) else {
            return;
        };
        let (ao, machine) = (object.ao(), object.machine);
        match taken {
            SelectedTransition::Nothing => {
                let signal = event.signal.number();
                let time = self.tracer.put("SM EVT_NFOUND", |recorder| {
                    recorder.sm_evt_nfound(ao, signal);
                });
                self.tracer.truth.end(number, time, StepEnding::Unhandled);
                return;
            }
            SelectedTransition::Internal { source, effect } => {
                let source = machine.vertex(source);
                self.transition(number, source, Address::NONE);
                self.run_action(number, ActionRole::Effect, source, effect, event);
            }
            SelectedTransition::External {
                source,
                through,
                target,
                effect,
            } => {
                let inner = machine.with_parents(object.state);
                let outer = machine.with_parents(target);
                // A transition exits its source and enters its target, even if
                // they are the same.
                let stays = |state: &usize| *state != target && *state != source;
                let common = |state: &&usize| outer.contains(state) && stays(state);
                let left = inner.iter().take_while(|state| !common(state)).count();
                let first = machine.vertex(through.unwrap_or(target));
                let at = machine.vertex(source);
                self.transition(number, at, first);
                self.segment(number, first);
                if through.is_some() {
                    self.segment(number, machine.vertex(target));
                }
                for state in inner.iter().take(left) {
                    let state = machine.vertex(*state);
                    self.tracer
                        .put("SM EXSTATE", |recorder| recorder.sm_exstate(ao, state));
                }
                self.run_action(number, ActionRole::Effect, at, effect, event);
                let reached = outer
                    .iter()
                    .take_while(|state| !(inner.contains(state) && stays(state)));
                let reached: Vec<usize> = reached.copied().collect();
                let entered = reached.into_iter().rev().collect();
                self.enter(number, entered, left as u8);
            }
        }
        self.processed(number);
    }

    /// Enters the initial states.
    pub(super) fn initialise(&mut self, number: u8) {
        let Some(object) = self.objects.get(usize::from(number)) else {
            return;
        };
        let (ao, machine) = (object.ao(), object.machine);
        let initial = machine.vertex(machine.initial);
        let begun = self
            .tracer
            .put("SM INIT", |recorder| recorder.sm_init(ao, initial));
        self.tracer.truth.begin(number, begun);
        self.transition(number, initial, initial);
        self.segment(number, initial);
        let mut nothing = RkhEvent::constant(Signal::Timeout);
        self.run_action(
            number,
            ActionRole::Effect,
            initial,
            machine.initial_action,
            &mut nothing,
        );
        self.enter(number, vec![machine.initial], 0);
        self.processed(number);
    }

    fn transition(&mut self, number: u8, source: Address, target: Address) {
        if let Some(object) = self.objects.get(usize::from(number)) {
            let ao = object.ao();
            let taken = self
                .tracer
                .put("SM TRN", |recorder| recorder.sm_trn(ao, source, target));
            self.tracer.truth.transition(number, taken);
        }
    }

    fn segment(&mut self, number: u8, vertex: Address) {
        if let Some(object) = self.objects.get(usize::from(number)) {
            let ao = object.ao();
            self.tracer
                .put("SM TS_STATE", |recorder| recorder.sm_ts_state(ao, vertex));
        }
    }

    /// Runs an action and records it.
    fn run_action(
        &mut self,
        number: u8,
        role: ActionRole,
        state: Address,
        effect: Effect,
        event: &mut RkhEvent,
    ) {
        self.execute(number, effect, event);
        if let Some(object) = self.objects.get(usize::from(number)) {
            let (ao, function) = (object.ao(), effect.function());
            self.tracer.put("SM EXE_ACT", |recorder| {
                recorder.sm_exe_act(role, ao, state, function);
            });
        }
    }

    /// Enters states, the outermost first, and the initial substates of the
    /// last one.
    fn enter(&mut self, number: u8, mut states: Vec<usize>, left: u8) {
        let Some(object) = self.objects.get_mut(usize::from(number)) else {
            return;
        };
        let (ao, machine) = (object.ao(), object.machine);
        let given = states.len();
        let last = states.pop().unwrap_or(object.state);
        states.extend(machine.with_children(last));
        object.state = states.last().copied().unwrap_or(last);
        let state = object.state;
        for (index, entered) in states.iter().enumerate() {
            let vertex = machine.vertex(*entered);
            if index >= given {
                self.segment(number, vertex);
            }
            self.tracer
                .put("SM ENSTATE", |recorder| recorder.sm_enstate(ao, vertex));
        }
        let entered = states.len() as u8;
        self.tracer
            .put("SM NENEX", |recorder| recorder.sm_nenex(ao, entered, left));
        let vertex = machine.vertex(state);
        let settled = self
            .tracer
            .put("SM STATE", |recorder| recorder.sm_state(ao, vertex));
        self.tracer.truth.enter_state(number, settled, state);
    }

    fn processed(&mut self, number: u8) {
        if let Some(object) = self.objects.get(usize::from(number)) {
            let ao = object.ao();
            let ended = self
                .tracer
                .put("SM EVT_PROC", |recorder| recorder.sm_evt_proc(ao));
            self.tracer.truth.end(number, ended, StepEnding::Processed);
        }
    }
}
