//! What a file names: tasks, interrupt service routines, cores, and everything else.

use super::catalogue::{self, id};
use rtoscope_trace::{Address, ContextId, Contexts, EventKind};
use std::collections::HashMap;

/// The type of something that events happen to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum EntityType {
    Task,
    Isr,
    Runnable,
    Stimulus,
    Core,
    Semaphore,
    Signal,
    OsEvent,
    /// Schedulers, the simulation, and types of tools.
    Other,
}

/// Number of types.
const TYPES: usize = 9;

impl EntityType {
    pub(super) fn from_name(name: &[u8]) -> Self {
        match name {
            b"T" => Self::Task,
            // Up to version 2.1.4, ISR.
            b"I" | b"ISR" => Self::Isr,
            b"R" => Self::Runnable,
            b"STI" => Self::Stimulus,
            b"C" => Self::Core,
            b"SEM" => Self::Semaphore,
            b"SIG" => Self::Signal,
            b"EVENT" => Self::OsEvent,
            _ => Self::Other,
        }
    }

    /// The name in output.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Isr => "isr",
            Self::Runnable => "runnable",
            Self::Stimulus => "stimulus",
            Self::Core => "core",
            Self::Semaphore => "semaphore",
            Self::Signal => "signal",
            Self::OsEvent => "event",
            Self::Other => "other",
        }
    }
}

/// Something that a file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entity {
    pub(super) entity_type: EntityType,
    /// Its name, in the file's encoding.
    pub(super) name: Box<[u8]>,
    /// Its number among those of its type; of a core, that of the trace.
    pub(super) number: u32,
    /// Whether tasks lock it.
    pub(super) is_locked: bool,
    /// The core that it ran on last, or that it is.
    pub(super) core: Option<u8>,
}

/// The number of an entity in the file: index into [`EntityTable::all`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EntityId(pub(super) u32);

impl EntityId {
    /// An address that identifies it: none is 0.
    pub(super) const fn address(self) -> Address {
        Address(self.0 as u64 + 1)
    }

    /// The entity at an address.
    pub(super) fn at(address: u64) -> Option<Self> {
        Some(Self(u32::try_from(address.checked_sub(1)?).ok()?))
    }
}

/// Everything that the file has named so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct EntityTable {
    pub(super) all: Vec<Entity>,
    ids: [HashMap<Box<[u8]>, EntityId>; TYPES],
    /// The numbers of the cores with names.
    cores: Vec<u8>,
    /// The numbers of cores in the names of tasks.
    logged_cores: Vec<u8>,
    /// The names of kinds that the catalogue does not have.
    kinds: Vec<String>,
    kind_numbers: HashMap<Box<[u8]>, u32>,
    /// Whether any event shows when tasks become ready or wait.
    pub(super) has_states: bool,
    /// Whether any event shows when a core is idle.
    pub(super) has_idle: bool,
}

/// Maximum number of kinds that the catalogue does not have.
const MAX_UNNAMED_KINDS: usize = 1000;

impl EntityTable {
    pub(super) fn get(&self, id: EntityId) -> Option<&Entity> {
        self.all.get(id.0 as usize)
    }

    pub(super) fn get_mut(&mut self, id: EntityId) -> Option<&mut Entity> {
        self.all.get_mut(id.0 as usize)
    }

    /// The entities of a type, in the order of their numbers.
    pub(super) fn of_type(
        &self,
        entity_type: EntityType,
    ) -> impl Iterator<Item = (EntityId, &Entity)> {
        let all = (0..).map(EntityId).zip(&self.all);
        all.filter(move |(_, entity)| entity.entity_type == entity_type)
    }

    pub(super) fn find(&self, entity_type: EntityType, name: &[u8]) -> Option<EntityId> {
        self.ids.get(entity_type as usize)?.get(name).copied()
    }

    /// Finds an entity, or adds it; `None` for a core if there are too many.
    pub(super) fn find_or_add(&mut self, entity_type: EntityType, name: &[u8]) -> Option<EntityId> {
        if let Some(known) = self.find(entity_type, name) {
            return Some(known);
        }
        let (number, core) = match entity_type {
            EntityType::Core => {
                let core = self.free_core(name)?;
                (core.into(), Some(core))
            }
            _ => {
                let same = self.ids.get(entity_type as usize)?.len();
                (u32::try_from(same).ok()?, None)
            }
        };
        let id = EntityId(u32::try_from(self.all.len()).ok()?);
        self.all.push(Entity {
            entity_type,
            name: name.into(),
            number,
            is_locked: false,
            core,
        });
        let ids = self.ids.get_mut(entity_type as usize)?;
        ids.insert(name.into(), id);
        Some(id)
    }

    /// A core's number: the one in its name, if it is free.
    fn free_core(&mut self, name: &[u8]) -> Option<u8> {
        let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let digits = name.get(name.len() - digits.count()..).unwrap_or_default();
        let named = std::str::from_utf8(digits)
            .ok()
            .and_then(|it| it.parse().ok());
        let is_free = |core: &u8| !self.cores.contains(core);
        let core = named
            .filter(is_free)
            .or_else(|| (0..=u8::MAX).find(is_free))?;
        self.cores.push(core);
        Some(core)
    }

    /// The numbers of the cores, sorted; 0 if none is named.
    pub(super) fn core_numbers(&self) -> Vec<u8> {
        let mut cores = [self.cores.as_slice(), &self.logged_cores].concat();
        if cores.is_empty() {
            cores.push(0);
        }
        cores.sort_unstable();
        cores.dedup();
        cores
    }

    /// Adds the core whose number is in the name of a task.
    pub(super) fn add_logged_core(&mut self, core: u8) {
        if !self.logged_cores.contains(&core) {
            self.logged_cores.push(core);
        }
    }

    /// The context of the events of an entity.
    pub(super) fn context(&self, id: EntityId) -> ContextId {
        match self.get(id) {
            Some(task) if task.entity_type == EntityType::Task => thread(task.number),
            Some(isr) if isr.entity_type == EntityType::Isr => Contexts::INTERRUPT,
            _ => ContextId::UNKNOWN,
        }
    }

    /// The number of a kind that the catalogue does not have.
    pub(super) fn unnamed_kind(&mut self, target_type: &[u8], event: &[u8]) -> u32 {
        let name = [target_type, b":", event].concat();
        if let Some(known) = self.kind_numbers.get(name.as_slice()) {
            return *known;
        }
        if self.kinds.len() >= MAX_UNNAMED_KINDS {
            return id::OTHER;
        }
        let number = id::FIRST_UNNAMED + self.kinds.len() as u32;
        self.kinds.push(String::from_utf8_lossy(&name).into_owned());
        self.kind_numbers.insert(name.into(), number);
        number
    }

    /// The kinds that the catalogue does not have.
    pub(super) fn unnamed_kinds(&self) -> impl Iterator<Item = EventKind> {
        let kinds = (id::FIRST_UNNAMED..).zip(&self.kinds);
        kinds.filter_map(|(number, name)| catalogue::unnamed_kind(number, name.clone()))
    }
}

/// The context of the task with that number.
pub(super) const fn thread(number: u32) -> ContextId {
    ContextId(Contexts::IDLE.0 + 1 + number)
}

/// The parts of a task's name as loggers of FreeRTOS write it: `[core/number]name`. One task has
/// several names then.
pub(super) struct LoggedName<'a> {
    pub(super) core: u8,
    /// The number and the name: they identify the task.
    pub(super) task: &'a [u8],
}

impl<'a> LoggedName<'a> {
    pub(super) fn read(name: &'a [u8]) -> Option<Self> {
        let rest = name.strip_prefix(b"[")?;
        let slash = rest.iter().position(|byte| *byte == b'/')?;
        let core = std::str::from_utf8(rest.get(..slash)?).ok()?.parse().ok()?;
        let task = rest.get(slash + 1..)?;
        let end = task.iter().position(|byte| *byte == b']')?;
        let is_number = task.get(..end)?.iter().all(u8::is_ascii_digit);
        (end > 0 && is_number).then_some(Self { core, task })
    }

    /// The name alone.
    pub(super) fn display_name(task: &[u8]) -> &[u8] {
        let digits = task.iter().take_while(|byte| byte.is_ascii_digit());
        match task.get(digits.count()..) {
            Some([b']', name @ ..]) if !name.is_empty() => name,
            _ => task,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_have_the_numbers_of_their_names() {
        let mut entities = EntityTable::default();
        for (name, expected) in [
            ("Core_1", 1),
            ("main", 0),
            ("dsp1", 2),
            ("Core_1", 1),
            ("Core_300", 3),
        ] {
            let id = entities.find_or_add(EntityType::Core, name.as_bytes());
            let core = entities.get(id.unwrap()).unwrap();
            assert_eq!(core.number, expected, "{name}");
        }
        assert_eq!(entities.core_numbers(), [0, 1, 2, 3]);
        for number in 0..300 {
            entities.find_or_add(EntityType::Core, format!("x{number}").as_bytes());
        }
        assert_eq!(entities.core_numbers().len(), 256);
        assert_eq!(entities.find_or_add(EntityType::Core, b"one more"), None);
    }

    #[test]
    fn loggers_put_core_and_number_before_the_name() {
        let read = |name: &'static [u8]| {
            let logged = LoggedName::read(name)?;
            let display = LoggedName::display_name(logged.task);
            Some((logged.core, logged.task, display))
        };
        let runner = read(b"[3/0001]Runner").unwrap();
        assert_eq!(runner, (3, &b"0001]Runner"[..], &b"Runner"[..]));
        for other in [&b"[x/1]a"[..], b"[1]a", b"[1/]a", b"a", b"[1/a]b", b"[1/2"] {
            assert!(read(other).is_none());
        }
    }
}
