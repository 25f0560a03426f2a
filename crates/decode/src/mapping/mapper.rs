//! Takes events in time order, decides what each means, and stores it.

use super::class::{
    ClassId, ClassResolver, ClassRule, EventClass, FieldDef, FieldValue, Layout, SlotContent,
};
use super::entities::Entities;
use super::page::MappedPage;
use super::rule::Role;
use super::table::MappingTables;
use super::text_interner::TextInterner;
use crate::packet_stream::{GapCause, StoredEvent, StreamGap};
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::{ContextId, Contexts, EventKind, SchedEvent, TextEncoding};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

/// Takes the events of a recording in time order.
#[derive(Debug, Clone)]
pub(crate) struct EventMapper {
    tables: MappingTables,
    pub(super) encoding: TextEncoding,
    classes: Arc<Vec<Arc<EventClass>>>,
    pub(super) kinds: Arc<Vec<EventKind>>,
    pub(super) entities: Arc<Entities>,
    pub(super) page: MappedPage,
    texts: TextInterner,
    pub(super) cores: BTreeMap<u8, CoreState>,
    pub(super) flags: MapperFlags,
    pub(super) problems: MapperProblems,
    /// Whether a thread that is replaced without being switched out stopped at an unknown time.
    pub(super) expects_switch_out: bool,
    time: u64,
    /// The time of the last event as it was recorded.
    recorded_time: i128,
    /// The thread whose current priority is a field of the current event.
    pub(super) recorded_priority: Option<(ContextId, u16)>,
    /// The addresses of what the fields of the current event name, by role.
    pub(super) addresses: [u64; Role::COUNT],
    scratch: Vec<u8>,
}

/// When and where an event was logged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventTime {
    /// Ticks since the start.
    pub(crate) time: u64,
    /// The core, if it is no field of the event.
    pub(crate) core: Option<u32>,
}

/// What a core runs.
#[derive(Debug, Clone)]
pub(super) struct CoreState {
    /// Outside of interrupts.
    pub(super) running: ContextId,
    /// The active handlers, the innermost last.
    pub(super) isrs: Vec<u32>,
}

impl Default for CoreState {
    fn default() -> Self {
        Self {
            running: ContextId::UNKNOWN,
            isrs: Vec::new(),
        }
    }
}

/// What the events so far have shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct MapperFlags {
    pub(super) records_ready: bool,
    pub(super) records_waits: bool,
    /// Whether threads are switched out, and whether one was replaced without that.
    pub(crate) records_switch_out: bool,
    pub(crate) misses_switch_out: bool,
}

/// What could not be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct MapperProblems {
    /// Number of events that are earlier than one before, and the first.
    pub(super) backward: u64,
    pub(super) first_backward: Option<u64>,
    /// Number of events whose times are below, and above, that of the one before.
    pub(super) falls: u64,
    pub(super) rises: u64,
    /// Number of events of cores beyond the number that a trace can have.
    pub(super) excess_cores: u64,
}

/// Maximum number of classes.
const MAX_CLASSES: usize = 1 << 16;

impl EventMapper {
    pub(crate) fn new(tables: MappingTables, encoding: TextEncoding) -> Self {
        Self {
            tables,
            encoding,
            classes: Arc::default(),
            kinds: Arc::default(),
            entities: Arc::default(),
            page: MappedPage::default(),
            texts: TextInterner::default(),
            cores: BTreeMap::new(),
            flags: MapperFlags::default(),
            problems: MapperProblems::default(),
            expects_switch_out: false,
            recorded_priority: None,
            time: 0,
            recorded_time: 0,
            addresses: [0; Role::COUNT],
            scratch: Vec::new(),
        }
    }

    /// Adds a class of events of a recording that says `environment` of itself. Its component is
    /// the table with a rule for it, or else `component`. `None` if there are too many.
    pub(crate) fn add_class(
        &mut self,
        name: &str,
        fields: &[FieldDef],
        component: &str,
        environment: &BTreeMap<String, String>,
    ) -> Option<ClassId> {
        let number = self.classes.len();
        if number >= MAX_CLASSES {
            return None;
        }
        let mut resolver = ClassResolver {
            tables: &self.tables,
            environment,
            kinds: Arc::make_mut(&mut self.kinds),
            component,
        };
        let class = resolver.resolve(name, fields);
        Arc::make_mut(&mut self.classes).push(Arc::new(class));
        Some(ClassId(number as u32))
    }

    /// When a thread that is replaced without being switched out stopped is not known.
    pub(crate) fn expect_switch_out(&mut self) {
        self.expects_switch_out = true;
    }

    /// What the events so far have shown.
    pub(crate) fn flags(&self) -> MapperFlags {
        self.flags
    }

    /// Number of events so far.
    pub(crate) fn next_event(&self) -> u64 {
        self.page.events.end()
    }

    /// Each tick of the times of the page's events was `factor` ticks.
    #[cold]
    pub(crate) fn scale_times(&mut self, factor: u64) {
        let times = self.page.events.time.iter_mut();
        for time in times.chain([&mut self.time]) {
            *time = time.saturating_mul(factor);
        }
        self.recorded_time = self.recorded_time.saturating_mul(factor.into());
    }

    /// Ends the page; the next events are in another one.
    pub(crate) fn take_page(&mut self) -> MappedPage {
        self.texts.clear();
        let next = self.page.continuation();
        std::mem::replace(&mut self.page, next)
    }

    /// Events are missing before the next one: what runs is not known any more. `core` if those
    /// of the others are complete.
    pub(crate) fn lose(&mut self, cause: GapCause, missing: Option<u64>, core: Option<u8>) {
        for (number, state) in &mut self.cores {
            if core.is_none_or(|core| core == *number) {
                *state = CoreState::default();
            }
        }
        let entities = Arc::make_mut(&mut self.entities);
        for object in &mut entities.objects {
            object.owner = None;
            object.waiting.clear();
        }
        for thread in &mut entities.threads {
            (thread.wait, thread.pending_wait, thread.requested) = (None, None, None);
        }
        let next_event = self.next_event();
        self.page.events.gaps.push(StreamGap {
            next_event,
            cause,
            missing,
            core,
        });
    }

    /// Adds an event with a value for each field of its class.
    pub(crate) fn push(&mut self, class: ClassId, at: EventTime, values: &[FieldValue<'_>]) {
        self.push_at(class, at.time.into(), at.core, values);
    }

    /// Adds an event as [`Self::push`] does. Its time is below 0 if it is before the start.
    pub(crate) fn push_at(
        &mut self,
        class: ClassId,
        time: i128,
        core: Option<u32>,
        values: &[FieldValue<'_>],
    ) {
        let Some(class) = self.classes.get(class.0 as usize).map(Arc::clone) else {
            return;
        };
        let rule = class.rules.iter().find(|rule| rule.applies(values));
        let recorded = rule.and_then(|rule| rule.value(Role::Core, values)?.number());
        let core = recorded.or(core.map(Into::into)).unwrap_or(0);
        let Ok(core) = u8::try_from(core) else {
            self.problems.excess_cores += 1;
            return;
        };
        self.cores.entry(core).or_default();
        if time < self.time.into() {
            let event = self.next_event();
            self.problems.backward += 1;
            self.problems.first_backward.get_or_insert(event);
        }
        match time.cmp(&self.recorded_time) {
            Ordering::Less => self.problems.falls += 1,
            Ordering::Equal => {}
            Ordering::Greater => self.problems.rises += 1,
        }
        self.recorded_time = time;
        let time = u64::try_from(time.max(0)).unwrap_or(u64::MAX);
        self.time = self.time.max(time);
        self.recorded_priority = None;
        let (sched_event, context) = match rule {
            Some(rule) => self.apply(rule, core, values),
            None => (SchedEvent::None, self.context(core)),
        };
        let layout = rule.map_or(&class.other, |rule: &ClassRule| &rule.layout);
        self.store(layout, core, context, values);
        self.page.sched_events.push(sched_event);
    }

    /// The context of events that do not name one.
    pub(super) fn context(&self, core: u8) -> ContextId {
        match self.cores.get(&core) {
            Some(core) if core.isrs.is_empty() => core.running,
            Some(_) => Contexts::INTERRUPT,
            None => ContextId::UNKNOWN,
        }
    }

    fn store(&mut self, layout: &Layout, core: u8, context: ContextId, values: &[FieldValue<'_>]) {
        let mut words = [0_u64; 4];
        for (number, slot) in layout.slots.iter().enumerate() {
            let extras = &mut self.page.events.extras;
            let value = values.get(usize::from(slot.field)).copied();
            let word = match (slot.content, value) {
                (SlotContent::Named(role), _) => self.addresses[role as usize],
                (SlotContent::Word, Some(value)) => word(value),
                (SlotContent::Text, Some(FieldValue::Text(text))) => {
                    self.texts.intern(extras, text).into()
                }
                (SlotContent::Text | SlotContent::Decimal, Some(value)) => {
                    self.scratch.clear();
                    // Writing to a `Vec` cannot fail.
                    let _ = match value.number() {
                        Some(number) => write!(self.scratch, "{number}"),
                        None => Ok(()),
                    };
                    self.texts.intern(extras, &self.scratch).into()
                }
                (_, None) => 0,
            };
            match words.get_mut(number) {
                Some(place) => *place = word,
                None => extras.push(word as u32),
            }
        }
        self.page.events.push(&StoredEvent {
            time: self.time,
            timestamp: None,
            core,
            context,
            priority_word: match self.recorded_priority {
                _ if context == Contexts::INTERRUPT => {
                    PriorityWord::interrupted(ContextId::UNKNOWN)
                }
                Some((thread, priority)) if thread == context => {
                    PriorityWord::thread(priority, None)
                }
                _ => PriorityWord::NO_PRIORITY,
            },
            kind: layout.kind,
            arguments: words.map(|word| word as u32),
            upper_halves: words.map(|word| (word >> 32) as u32),
        });
    }
}

/// A number as an argument: negative ones of up to 32 bits are not extended.
pub(super) fn word(value: FieldValue<'_>) -> u64 {
    match value {
        FieldValue::Unsigned(number) => number,
        FieldValue::Signed(number) => match i32::try_from(number) {
            Ok(narrow) => narrow.cast_unsigned().into(),
            Err(_) => number.cast_unsigned(),
        },
        FieldValue::Text(_) => 0,
    }
}
