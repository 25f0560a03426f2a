//! Numbers of events, moments, contexts, objects, lanes and so on that are the same in all
//! parts of a live recording.
//!
//! Each part is decoded on its own: its trace counts events and time from its first event,
//! and numbers what it contains in the order of appearance. Queries and responses count from
//! the first event of the recording, and have the numbers of [`RecordingIds`].

use crate::error::QueryError;
use crate::query::{Axis, Window};
use crate::query_response::json;
use crate::response::{
    Context, EventKind, Lane, LaneKind, LevelResource, MachineState, NamedObject,
};
use crate::session::Session;
use rtoscope_trace::{ContextId, EventIndex, ObjectId, Ticks, TraceOrigin};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Numbers that are no longer in use may outnumber those in use by this factor, plus
/// [`ROOM`].
const MAX_UNUSED_FACTOR: usize = 4;
const ROOM: usize = 1024;

/// The numbers of everything that the parts of a live recording name.
#[derive(Debug, Default)]
pub struct RecordingIds(Mutex<Arc<Mutex<IdTables>>>);

#[derive(Debug, Default)]
pub(crate) struct IdTables {
    /// How often numbers were assigned anew.
    generation: u32,
    pub(crate) contexts: IdTable<Context>,
    pub(crate) objects: IdTable<NamedObject>,
    pub(crate) kinds: IdTable<EventKind>,
    pub(crate) lanes: IdTable<Lane>,
    pub(crate) levels: IdTable<LevelResource>,
    /// The states of each machine, by the number of its context.
    pub(crate) states: BTreeMap<u32, IdTable<MachineState>>,
}

/// All entries of one type that were ever in a part, by number.
#[derive(Debug)]
pub(crate) struct IdTable<T> {
    /// By key, and by place among the entries with the same key.
    ids: HashMap<(String, u32), u32>,
    entries: Vec<T>,
}

/// An entry of an [`IdTable`].
pub(crate) trait Entry: Clone {
    /// What identifies it in the recording.
    fn key(&self) -> String;

    /// The entry where a part does not have it.
    fn absent(&self) -> Self;
}

/// The numbers in the recording of what a session has.
#[derive(Debug, Default)]
pub(crate) struct SessionIds {
    /// `None` for a complete recording, whose numbers are those of its trace.
    tables: Option<Arc<Mutex<IdTables>>>,
    pub(crate) contexts: IdMap,
    pub(crate) objects: IdMap,
    /// By place among the kinds.
    pub(crate) kinds: IdMap,
    pub(crate) lanes: IdMap,
    /// By resource.
    pub(crate) levels: IdMap,
}

/// Numbers in the recording by a session's own numbers; the same if `None`.
#[derive(Debug, Default)]
pub(crate) struct IdMap(Option<Vec<u32>>);

impl SessionIds {
    /// Whether the session is a part of a live recording.
    pub(crate) fn is_live(&self) -> bool {
        self.tables.is_some()
    }
}

impl IdMap {
    /// The number in the recording; that of something unknown stays as it is.
    pub(crate) fn id(&self, own: u32) -> u32 {
        let id = self.0.as_ref().and_then(|ids| ids.get(own as usize));
        id.copied().unwrap_or(own)
    }

    /// The session's own number; `None` if it does not have the entry.
    pub(crate) fn own(&self, id: u32) -> Option<u32> {
        let Some(ids) = &self.0 else {
            return Some(id);
        };
        let own = ids.iter().position(|one| *one == id);
        own.map(|own| own as u32)
    }
}

impl<T> Default for IdTable<T> {
    fn default() -> Self {
        Self {
            ids: HashMap::new(),
            entries: Vec::new(),
        }
    }
}

impl<T: Entry> IdTable<T> {
    /// The numbers of a part's entries: known ones keep theirs, new ones get the next.
    fn assign(&mut self, list: &[T]) -> Vec<u32> {
        let mut times: HashMap<String, u32> = HashMap::new();
        let mut id = |entry: &T| {
            let key = entry.key();
            let time = times.entry(key.clone()).or_default();
            *time += 1;
            let next = self.entries.len() as u32;
            let id = *self.ids.entry((key, *time)).or_insert(next);
            match self.entries.get_mut(id as usize) {
                Some(last) => last.clone_from(entry),
                None => self.entries.push(entry.clone()),
            }
            id
        };
        list.iter().map(&mut id).collect()
    }

    /// All entries by number, given those of a part.
    fn with(&mut self, list: Vec<T>) -> Vec<T> {
        let mut all: Vec<_> = self.entries.iter().map(T::absent).collect();
        for (id, entry) in self.assign(&list).into_iter().zip(list) {
            if let Some(place) = all.get_mut(id as usize) {
                *place = entry;
            }
        }
        all
    }
}

impl IdTables {
    /// Number of entries.
    fn len(&self) -> usize {
        let states = self.states.values().map(|table| table.entries.len());
        self.contexts.entries.len()
            + self.objects.entries.len()
            + self.kinds.entries.len()
            + self.lanes.entries.len()
            + self.levels.entries.len()
            + states.sum::<usize>()
    }
}

impl Entry for Context {
    fn key(&self) -> String {
        match self.kind {
            // They exist once, whatever their address.
            "interrupt" | "initialize" | "idle" => self.kind.to_owned(),
            _ => self.address.clone(),
        }
    }

    fn absent(&self) -> Self {
        Self {
            events: 0,
            cpu_time: 0,
            ..self.clone()
        }
    }
}

impl Entry for NamedObject {
    fn key(&self) -> String {
        format!("{} {}", self.class, self.address)
    }

    fn absent(&self) -> Self {
        self.clone()
    }
}

impl Entry for EventKind {
    fn key(&self) -> String {
        self.id.to_string()
    }

    fn absent(&self) -> Self {
        Self {
            events: 0,
            ..self.clone()
        }
    }
}

impl Entry for Lane {
    fn key(&self) -> String {
        match self.kind {
            // Their numbers depend on the part.
            LaneKind::Marker { .. } => format!("marker {}", self.name),
            LaneKind::PipelineStage { .. } => format!("stage {}", self.name),
            LaneKind::TextLog { .. } => format!("log {}", self.name),
            LaneKind::Isr { .. } => format!("{:?} {}", self.kind, self.name),
            kind => format!("{kind:?}"),
        }
    }

    fn absent(&self) -> Self {
        Self {
            events: 0,
            busy_time: 0,
            share: None,
            ..self.clone()
        }
    }
}

impl Entry for LevelResource {
    fn key(&self) -> String {
        let object = self.object.map(|object| object.to_string());
        format!("{} {}", self.class, object.as_ref().unwrap_or(&self.name))
    }

    fn absent(&self) -> Self {
        self.clone()
    }
}

impl Entry for MachineState {
    fn key(&self) -> String {
        let object = self.object.map(|object| object.to_string());
        object.unwrap_or_else(|| self.name.clone())
    }

    fn absent(&self) -> Self {
        Self {
            visits: 0,
            residency: 0,
            share: None,
            ..self.clone()
        }
    }
}

impl Session {
    /// Gives contexts, objects, lanes and so on the numbers that they have in the other
    /// sessions of a live recording.
    pub fn join(&mut self, recording: &RecordingIds) {
        let mut current = lock(&recording.0);
        let states = self.machines.iter().map(|machine| machine.states.len());
        let present = self.recording.trace.contexts.len()
            + self.recording.trace.objects.len()
            + self.kind_counts.len()
            + self.lanes.all.len()
            + states.sum::<usize>();
        let (known, generation) = {
            let tables = lock(&current);
            (tables.len(), tables.generation)
        };
        if known > MAX_UNUSED_FACTOR * present + ROOM {
            *current = Arc::new(Mutex::new(IdTables {
                generation: generation.wrapping_add(1),
                ..IdTables::default()
            }));
        }
        let shared = Arc::clone(&current);
        let tables = &mut *lock(&shared);
        self.ids.objects = IdMap(Some(tables.objects.assign(&self.objects())));
        self.ids.contexts = IdMap(Some(tables.contexts.assign(&self.contexts())));
        // Now that these have numbers, objects can refer to them.
        tables.objects.assign(&self.objects());
        self.ids.kinds = IdMap(Some(tables.kinds.assign(&self.recorded_kinds())));
        self.ids.lanes = IdMap(Some(tables.lanes.assign(&self.lane_list())));
        let levels = self.levels();
        let mut ids = vec![u32::MAX; self.recording.schedule.resources.len()];
        for (level, id) in levels.iter().zip(tables.levels.assign(&levels)) {
            if let Some(place) = ids.get_mut(level.resource as usize) {
                *place = id;
            }
        }
        self.ids.levels = IdMap(Some(ids));
        tables.levels.assign(&self.levels());
        let states = self.machines.iter().map(|machine| {
            let table = tables.states.entry(self.context_id(machine.context));
            table.or_default().assign(&self.machine_states(machine))
        });
        let states: Vec<_> = states.collect();
        for (machine, ids) in self.machines.iter_mut().zip(states) {
            machine.ids = IdMap(Some(ids));
        }
        self.ids.tables = Some(Arc::clone(&shared));
    }

    /// How often the recording's numbers were assigned anew.
    pub(crate) fn ids_generation(&self) -> u32 {
        let tables = self.ids.tables.as_deref();
        tables.map_or(0, |tables| lock(tables).generation)
    }

    /// A session's own list with all other entries of the recording, by number.
    pub(crate) fn with_absent<T: Entry>(
        &self,
        own: Vec<T>,
        table: fn(&mut IdTables) -> &mut IdTable<T>,
    ) -> Vec<T> {
        match &self.ids.tables {
            Some(tables) => table(&mut lock(tables)).with(own),
            None => own,
        }
    }

    /// The states of all machines of the recording by context, given those of the session.
    pub(crate) fn states_with_absent(
        &self,
        mut own: BTreeMap<u32, Vec<MachineState>>,
    ) -> BTreeMap<u32, Vec<MachineState>> {
        let Some(tables) = &self.ids.tables else {
            return own;
        };
        let mut tables = lock(tables);
        let all = tables.states.iter_mut();
        all.map(|(context, table)| {
            let states = own.remove(context).unwrap_or_default();
            (*context, table.with(states))
        })
        .collect()
    }

    /// The number of a context in the recording.
    pub(crate) fn context_id(&self, context: ContextId) -> u32 {
        self.ids.contexts.id(context.0)
    }

    /// The number of an object in the recording.
    pub(crate) fn object_id(&self, object: ObjectId) -> u32 {
        self.ids.objects.id(object.0)
    }

    /// The number of an event in the recording.
    pub(crate) fn event_number(&self, event: u32) -> u64 {
        self.recording.trace.recording_event(EventIndex(event))
    }

    /// A time of the trace as ticks since the start of the recording.
    pub(crate) fn recording_ticks(&self, ticks: u64) -> u64 {
        self.recording.trace.recording_time(Ticks(ticks)).0
    }

    /// The event with this number in the recording, which need not exist.
    pub(crate) fn own_event(&self, number: u64) -> Result<u32, QueryError> {
        let own = number.checked_sub(self.recording.trace.origin.event);
        let own = own.ok_or(QueryError::Discarded)?;
        Ok(u32::try_from(own).unwrap_or(u32::MAX))
    }

    /// A time of the recording in the trace; its start if the time is before it.
    pub(crate) fn own_ticks(&self, ticks: u64) -> u64 {
        ticks.saturating_sub(self.recording.trace.origin.time.0)
    }

    /// The start of the trace on an axis of the recording.
    pub(crate) fn axis_origin(&self, axis: Axis) -> f64 {
        let TraceOrigin { event, time } = self.recording.trace.origin;
        match axis {
            Axis::Time => time.0 as f64,
            Axis::Index => event as f64,
        }
    }

    /// A window of the recording in the trace.
    pub(crate) fn own_window(&self, window: &Window) -> Window {
        let origin = self.axis_origin(window.axis);
        Window {
            axis: window.axis,
            start: window.start - origin,
            end: window.end - origin,
        }
    }

    /// Serialises reports, with events and moments of the recording.
    pub(crate) fn report_text(&self, report: &impl Serialize) -> String {
        let origin = self.recording.trace.origin;
        if origin == TraceOrigin::default() {
            return json(report);
        }
        let mut value = serde_json::to_value(report).unwrap_or_default();
        shift(&mut value, "", origin);
        json(&value)
    }
}

/// Adds the origin to the members of reports that are events and moments; all others are
/// amounts.
fn shift(value: &mut Value, key: &str, origin: TraceOrigin) {
    match value {
        Value::Number(number) => {
            let by = match key {
                "start" | "end" => origin.time.0,
                _ if key == "event" || key.ends_with("_event") => origin.event,
                _ => return,
            };
            if let Some(own) = number.as_u64() {
                *number = own.saturating_add(by).into();
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|one| shift(one, key, origin)),
        Value::Object(members) => {
            members
                .iter_mut()
                .for_each(|(key, one)| shift(one, key, origin));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_decode::DecodeOptions;
    use rtoscope_fixtures::read_testdata;

    fn threads(names: &[&str]) -> Vec<Context> {
        let thread = |name: &&str| Context {
            kind: "thread",
            name: (*name).to_owned(),
            address: format!("0x{name}"),
            object: None,
            events: 3,
            priority: None,
            cpu_time: 1,
        };
        names.iter().map(thread).collect()
    }

    #[test]
    fn entries_keep_their_numbers() {
        let mut table = IdTable::default();
        assert_eq!(table.assign(&threads(&["a", "b", "c"])), [0, 1, 2]);
        let ids = table.assign(&threads(&["c", "a", "d"]));
        assert_eq!(ids, [2, 0, 3]);
        let ids = IdMap(Some(ids));
        assert_eq!([0, 1, 2, 99].map(|own| ids.id(own)), [2, 0, 3, 99]);
        assert_eq!([0, 1, 2].map(|id| ids.own(id)), [Some(1), None, Some(0)]);
        let all = table.with(threads(&["d", "b"]));
        let all: Vec<_> = all
            .iter()
            .map(|one| (one.name.as_str(), one.events))
            .collect();
        assert_eq!(all, [("a", 0), ("b", 3), ("c", 0), ("d", 3)]);
        // Those with the same key keep their order.
        assert_eq!(table.assign(&threads(&["a", "a"])), [0, 4]);
    }

    #[test]
    fn numbers_are_assigned_anew_when_most_are_not_in_use() {
        let recording = RecordingIds::default();
        let open = || {
            let bytes = read_testdata("threadx/cm3_system.trx");
            let mut session = Session::open("", &bytes, &DecodeOptions::default()).unwrap();
            session.join(&recording);
            session
        };
        let names: Vec<_> = (0..5000).map(|name: u32| name.to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let first = open();
        lock(&lock(&recording.0)).contexts.assign(&threads(&names));
        assert_eq!(
            first.overview().contexts.len(),
            5000 + first.contexts().len()
        );
        let other = open();
        assert_eq!([&first, &other].map(Session::ids_generation), [0, 1]);
        assert_eq!(other.overview().contexts, other.contexts());
        // Sessions from before keep their numbers.
        assert!(first.overview().contexts.len() > 5000);
    }
}
