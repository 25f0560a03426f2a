//! Handmade traces: a list of events, and names.

pub(crate) mod traces;

use rtoscope_analysis::active::ActiveObjects;
use rtoscope_trace::clock::{ClockDirection, ClockQuality};
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::events::{ArgumentColumn, EventColumns, WordColumn};
use rtoscope_trace::extras::Extras;
use rtoscope_trace::{
    ActiveObjectEvent, Address, Catalogue, Clock, CodeLocations, ContextId, Contexts, Diagnostics,
    Event, EventIndex, EventKindId, Events, Frequency, Gap, Interpret, Name, Object, ObjectClass,
    ObjectId, Objects, Resource, SchedEvent, SwitchModel, Trace, Vertex,
};

/// The first active object of a trace; the others follow.
pub(crate) const FIRST: ContextId = ContextId(3);

/// The events, in order.
#[derive(Default)]
pub(crate) struct TraceBuilder {
    events: Vec<(u64, ActiveObjectEvent)>,
    objects: Vec<Object>,
    machines: Vec<Address>,
    gaps: Vec<Gap>,
}

/// Interprets the events of a handmade trace.
pub(crate) struct ScriptedEvents(Vec<ActiveObjectEvent>);

impl Interpret for ScriptedEvents {
    fn sched_event(&mut self, _: &Trace, _: &Event) -> SchedEvent {
        SchedEvent::None
    }

    fn resources(&self) -> &[Resource] {
        &[]
    }

    fn active_object_event(&self, _: &Trace, event: &Event) -> ActiveObjectEvent {
        self.0[event.index.index()]
    }
}

impl TraceBuilder {
    /// Names an object; active objects in the order of their contexts.
    pub(crate) fn name(mut self, class: ObjectClass, address: u64, name: &[u8]) -> Self {
        self.object(class, address, name, 0);
        if class == ObjectClass::ActiveObject {
            self.machines.push(Address(address));
        }
        self
    }

    /// Names a state or pseudostate of an active object.
    pub(crate) fn vertex(
        mut self,
        class: ObjectClass,
        owner: u64,
        address: u64,
        name: &[u8],
    ) -> Self {
        self.object(class, address, name, owner);
        self
    }

    fn object(&mut self, class: ObjectClass, address: u64, name: &[u8], owner: u64) {
        let slot = u32::try_from(self.objects.len()).unwrap();
        self.objects.push(Object {
            id: ObjectId(slot),
            class,
            type_number: 0,
            address: Address(address),
            name: Name::new(name),
            parameters: Some([owner, 0]),
            priority: None,
            deleted: false,
            slot: Some(slot),
        });
    }

    /// Adds an event.
    pub(crate) fn at(mut self, time: u64, reaction: ActiveObjectEvent) -> Self {
        self.events.push((time, reaction));
        self
    }

    /// Adds a gap before the next event.
    pub(crate) fn gap(mut self, missing: u64) -> Self {
        self.gaps.push(Gap {
            next_event: EventIndex(u32::try_from(self.events.len()).unwrap()),
            missing: Some(missing),
            core: None,
            is_restart: false,
        });
        self
    }

    /// The target restarts before the next event.
    pub(crate) fn restart(mut self) -> Self {
        self = self.gap(0);
        if let Some(gap) = self.gaps.last_mut() {
            gap.missing = None;
            gap.is_restart = true;
        }
        self
    }

    /// Builds the trace and the interpreter of its events.
    pub(crate) fn trace(self) -> (Trace, ScriptedEvents) {
        let count = self.events.len();
        let mut contexts = Contexts::new(Address(1), Address(2), Address(3));
        let objects = Objects::new(self.objects);
        for address in self.machines {
            let object = objects.find_class(address, ObjectClass::ActiveObject);
            contexts.push_thread(address, object.map(|object| object.id));
        }
        let (time, reactions) = self.events.into_iter().unzip();
        let mut clock = Clock::new(u64::MAX, ClockDirection::Up)
            .with_frequency(Frequency::from_hertz(1_000_000));
        clock.quality = ClockQuality::Good;
        let trace = Trace {
            origin: Default::default(),
            events: Events::new(EventColumns {
                time,
                timestamp: WordColumn::Narrow(vec![0; count]),
                core: Vec::new(),
                context: vec![Contexts::IDLE; count],
                kind: vec![EventKindId(7); count],
                priority_word: vec![PriorityWord(0); count],
                arguments: ArgumentColumn::Narrow(vec![[0; 4]; count]),
                extras: Extras::default(),
            }),
            contexts,
            objects,
            clock,
            cores: vec![0],
            gaps: self.gaps,
            catalogue: Catalogue::default(),
            switch_model: SwitchModel::default(),
            code_locations: CodeLocations::default(),
            call_stacks: Default::default(),
            diagnostics: Diagnostics::default(),
        };
        (trace, ScriptedEvents(reactions))
    }

    /// Builds the trace and the analysis of its active objects.
    pub(crate) fn analyse(self) -> (Trace, ActiveObjects) {
        let (trace, reactions) = self.trace();
        let active = ActiveObjects::from_trace(&trace, &reactions);
        (trace, active)
    }
}

/// A state of a handmade trace.
pub(crate) fn vertex(address: u64) -> Vertex {
    Vertex(Address(address))
}
