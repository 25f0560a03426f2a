//! What a target says about itself: its clock, tasks, names and modules.

use super::descriptions::{Descriptions, EventDescription};
use foldhash::HashMap;
use rtoscope_trace::{Address, ContextId, Contexts, Name};
use rtoscope_wire::systemview::{MAX_ID, PacketWriter, id};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The properties in a target's start sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Initialisation {
    /// Timestamp ticks per second.
    pub(super) timestamp_hertz: u32,
    /// Processor cycles per second.
    pub(super) cpu_hertz: u32,
    /// The address with the shortened id 0.
    pub(super) ram_base: u32,
    /// The distance of addresses with consecutive ids, as a power of two.
    pub(super) id_shift: u32,
}

impl Initialisation {
    /// The address of a shortened id.
    #[inline]
    pub(super) fn address(self, shortened: u32) -> u32 {
        let offset = shortened.checked_shl(self.id_shift).unwrap_or(0);
        offset.wrapping_add(self.ram_base)
    }
}

/// A task, from its creation to that of the next one with the same id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Task {
    /// Its shortened id.
    pub(super) id: u32,
    /// The number of the event that created it, or of the first one that has its id.
    pub(super) first_event: u64,
    pub(super) name: Option<Vec<u8>>,
    /// As the system counts priorities.
    pub(super) priority: Option<u32>,
    /// The base address, and what the system says about size and usage.
    pub(super) stack: Option<[u32; 3]>,
}

/// A module: a component of the application with its own events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Module {
    pub(super) name: String,
    /// The events by id.
    pub(super) events: BTreeMap<u32, EventDescription>,
    /// The texts of its descriptions.
    texts: Vec<Vec<u8>>,
}

/// A series of samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DataSeries {
    pub(super) name: Name,
    pub(super) value_type: ValueType,
}

/// The type of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueType {
    Unsigned,
    Signed,
    Float,
}

/// What is known of a target.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Target {
    pub(super) initialisation: Option<Initialisation>,
    /// The texts of system descriptions, each once.
    system_texts: Vec<Vec<u8>>,
    /// The items of these by key: `N` the application, `D` the device, `C` the core, `O` the
    /// operating system.
    pub(super) system: BTreeMap<String, String>,
    pub(super) interrupts: BTreeMap<u32, Name>,
    /// In the order of their contexts.
    pub(super) tasks: Vec<Task>,
    /// The last task with each id, as an index.
    current_tasks: HashMap<u32, u32>,
    /// Names of objects by shortened id.
    pub(super) resources: BTreeMap<u32, Name>,
    pub(super) markers: BTreeMap<u32, Name>,
    pub(super) data: BTreeMap<u32, DataSeries>,
    /// By the id of their first event.
    pub(super) modules: BTreeMap<u32, Module>,
    /// The calls of the operating system.
    pub(super) calls: Option<Arc<Descriptions>>,
    /// Whether the user described these.
    has_own_calls: bool,
    /// Whether it records when tasks become ready, and when they stop being ready.
    records_ready: bool,
    records_waits: bool,
    /// Tasks that have not run, nor stopped being ready, since their creation.
    candidates: Vec<ContextId>,
    /// The system's idle tasks: they are ready while the core is idle, and never run.
    pub(super) idle_tasks: Vec<ContextId>,
    /// For each id, one more than the number of arguments that its events have.
    pub(super) arguments_seen: Vec<u8>,
}

impl Target {
    /// An unknown target, perhaps with the calls of its operating system.
    pub(super) fn new(calls: Option<Arc<Descriptions>>) -> Self {
        Self {
            has_own_calls: calls.is_some(),
            calls,
            ..Self::default()
        }
    }

    /// The current task with that shortened id, if it is known.
    pub(super) fn find_task(&self, id: u32) -> Option<ContextId> {
        Some(context_of(*self.current_tasks.get(&id)?))
    }

    /// The current task with that shortened id; it is new at this event if it is not known.
    pub(super) fn task(&mut self, id: u32, event: u64) -> ContextId {
        match self.find_task(id) {
            Some(task) => task,
            None => self.push_task(id, event),
        }
    }

    /// A task is created, possibly with the id of one that no longer exists.
    pub(super) fn create_task(&mut self, id: u32, event: u64) -> ContextId {
        match self.find_task(id) {
            // The packet is read again.
            Some(task) if self.task_mut(id).is_some_and(|it| it.first_event == event) => task,
            former => {
                // It was deleted.
                former.into_iter().for_each(|former| self.run(former));
                self.push_task(id, event)
            }
        }
    }

    fn push_task(&mut self, id: u32, event: u64) -> ContextId {
        let number = u32::try_from(self.tasks.len()).unwrap_or(u32::MAX);
        self.tasks.push(Task {
            id,
            first_event: event,
            ..Task::default()
        });
        self.current_tasks.insert(id, number);
        let task = context_of(number);
        self.candidates.push(task);
        task
    }

    /// The current task with that shortened id.
    pub(super) fn task_mut(&mut self, id: u32) -> Option<&mut Task> {
        let number = *self.current_tasks.get(&id)?;
        self.tasks.get_mut(number as usize)
    }

    /// Adds a system description: items `key=value`, separated by commas.
    pub(super) fn describe_system(&mut self, text: &[u8]) {
        if self.system_texts.iter().any(|known| known == text) {
            return;
        }
        self.system_texts.push(text.to_vec());
        for item in String::from_utf8_lossy(text).split(',') {
            let Some((key, value)) = item.split_once('=') else {
                continue;
            };
            match key.strip_prefix("I#").map(str::parse) {
                Some(Ok(number)) => {
                    self.interrupts.insert(number, Name::new(value.as_bytes()));
                }
                _ => {
                    self.system.insert(key.to_owned(), value.to_owned());
                }
            }
        }
        if self.has_own_calls {
            return;
        }
        let calls = self
            .system
            .get("O")
            .and_then(|name| Descriptions::of_system(name));
        self.calls = calls.or(self.calls.take());
    }

    /// Adds a description of a module whose first event has that id: its name, and events with
    /// ids relative to the first.
    pub(super) fn describe_module(&mut self, first_event: u32, text: &[u8]) {
        let module = self.modules.entry(first_event).or_default();
        if module.texts.iter().any(|known| known == text) {
            return;
        }
        module.texts.push(text.to_vec());
        for item in String::from_utf8_lossy(text).split(',') {
            let item = item.trim();
            if let Some(name) = item.strip_prefix("M=") {
                name.clone_into(&mut module.name);
            } else if let Some((number, event)) = item.split_once(' ')
                && let Ok(number) = number.parse::<u32>()
                && let Some(id) = first_event.checked_add(number).filter(|id| *id <= MAX_ID)
                && let Some(event) = EventDescription::parse(event)
            {
                module.events.insert(id, event);
            }
        }
    }

    /// The description of an event.
    pub(super) fn description(&self, event: u32) -> Option<&EventDescription> {
        let of_call = self.calls.as_ref().and_then(|calls| calls.get(event));
        of_call.or_else(|| {
            let (_, module) = self.modules.range(..=event).next_back()?;
            module.events.get(&event)
        })
    }

    /// Whether it records when tasks become ready, or else when they stop being ready.
    #[inline]
    pub(super) const fn records_state(&self, ready: bool) -> bool {
        if ready {
            self.records_ready
        } else {
            self.records_waits
        }
    }

    /// Notes that it does.
    pub(super) fn note_state(&mut self, ready: bool) {
        self.records_ready |= ready;
        self.records_waits |= !ready;
    }

    /// Whether a task has not run yet, or counts as an idle task.
    #[inline]
    pub(super) fn has_candidate(&self, task: ContextId) -> bool {
        (self.has_candidates() || !self.idle_tasks.is_empty())
            && (self.candidates.contains(&task) || self.idle_tasks.contains(&task))
    }

    /// Whether a task has not run yet.
    #[inline]
    pub(super) fn has_candidates(&self) -> bool {
        !self.candidates.is_empty()
    }

    /// A task runs or waits: it is no idle task.
    pub(super) fn run(&mut self, task: ContextId) {
        self.candidates.retain(|it| *it != task);
        self.idle_tasks.retain(|it| *it != task);
    }

    /// The core is idle: whoever is ready and has not run is an idle task.
    pub(super) fn idle(&mut self) {
        self.idle_tasks.append(&mut self.candidates);
    }

    /// Notes how many arguments an event has.
    #[cold]
    pub(super) fn note_arguments(&mut self, event: u32, arguments: u8) {
        self.arguments_seen.resize(MAX_ID as usize + 1, 0);
        if let Some(seen) = self.arguments_seen.get_mut(event as usize) {
            *seen = (*seen).max(arguments.saturating_add(1));
        }
    }

    /// Whether an event with that id and as many arguments occurred.
    #[inline]
    pub(super) fn has_seen(&self, event: u32, arguments: u8) -> bool {
        let seen = self.arguments_seen.get(event as usize);
        seen.is_some_and(|seen| *seen > arguments)
    }

    /// The address of a shortened id. Without the target's start sequence, the id itself.
    pub(super) fn address(&self, shortened: u32) -> Address {
        let address = self.initialisation.map(|it| it.address(shortened));
        Address(address.unwrap_or(shortened).into())
    }

    /// Packets that say the same again.
    pub(super) fn to_packets(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = PacketWriter::new(|byte| bytes.push(byte));
        if let Some(init) = self.initialisation {
            let Initialisation {
                timestamp_hertz,
                cpu_hertz,
                ram_base,
                id_shift,
            } = init;
            let values = [timestamp_hertz, cpu_hertz, ram_base, id_shift];
            writer.long(id::INIT, &values, &[], 0);
        }
        for text in &self.system_texts {
            writer.short(id::SYSDESC, &[], Some(text), 0);
        }
        for (first_event, module) in &self.modules {
            for text in &module.texts {
                writer.short(id::MODULEDESC, &[0, *first_event], Some(text), 0);
            }
        }
        for task in self.tasks.iter() {
            if self.find_task(task.id).and_then(|it| self.task_at(it)) != Some(task) {
                continue;
            }
            match (&task.name, task.priority) {
                (Some(name), Some(priority)) => {
                    writer.short(id::TASK_INFO, &[task.id, priority], Some(name), 0);
                }
                _ => writer.short(id::TASK_CREATE, &[task.id], None, 0),
            }
        }
        for (object, name) in &self.resources {
            writer.long(id::NAME_RESOURCE, &[*object], &[name.as_bytes()], 0);
        }
        for (marker, name) in &self.markers {
            let name = name.as_bytes();
            let extended = rtoscope_wire::systemview::extended_id::NAME_MARKER;
            writer.long(id::EX, &[extended, *marker], &[name], 0);
        }
        bytes
    }

    /// The task of a context.
    pub(super) fn task_at(&self, context: ContextId) -> Option<&Task> {
        let first = Contexts::IDLE.index() + 1;
        self.tasks.get(context.index().checked_sub(first)?)
    }
}

/// The context of the task with an index.
fn context_of(task: u32) -> ContextId {
    ContextId(Contexts::IDLE.0 + 1 + task)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_means_another_task_after_its_creation() {
        let mut target = Target::default();
        let first = target.task(7, 0);
        assert_eq!(target.task(7, 1), first);
        let second = target.create_task(7, 5);
        assert_ne!(first, second);
        assert_eq!(target.create_task(7, 5), second, "the same packet");
        assert_eq!(target.task(7, 6), second);
        assert_eq!(target.task_at(second).unwrap().first_event, 5);
    }

    #[test]
    fn texts_describe_the_system_and_its_modules() {
        let mut target = Target::default();
        target.describe_system(b"N=demo,O=FreeRTOS,I#15=SysTick,,x");
        assert_eq!(target.system["N"], "demo");
        assert_eq!(target.interrupts[&15], Name::new(b"SysTick"));
        assert_eq!(target.description(164).unwrap().name, "xQueueReceive");
        target.describe_module(512, b"M=Demo, 0 Hello id=%u, 1 Data v=%u ptr=%p");
        target.describe_module(512, b"2 Tick phase=%u");
        assert_eq!(target.modules[&512].name, "Demo");
        assert_eq!(target.description(513).unwrap().arguments.len(), 2);
        assert_eq!(target.description(514).unwrap().name, "Tick");
        assert_eq!(target.description(515), None);
    }

    #[test]
    fn shortened_ids_are_addresses() {
        let init = Initialisation {
            timestamp_hertz: 1,
            cpu_hertz: 1,
            ram_base: 0x2000_0000,
            id_shift: 2,
        };
        assert_eq!(init.address(0x100), 0x2000_0400);
        // NULL is below the base.
        assert_eq!(init.address(0u32.wrapping_sub(0x2000_0000) >> 2), 0);
    }
}
