//! What is known of a target: the names of its objects, and its tasks.

use super::kernel::Kernel;
use foldhash::HashMap;
use rtoscope_trace::{ContextId, Contexts, Name, ObjectClass};
use rtoscope_wire::percepio::{Entry, StreamHeader, entry_option};
use std::collections::BTreeMap;

/// A task, from its creation to that of the next one with the same address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) address: u64,
    /// The number of the event that created it, or of the first one that has its address.
    pub(super) first_event: u64,
    pub(super) name: Option<Name>,
    /// As the system counts priorities, when it was created or first recorded.
    pub(super) priority: Option<u64>,
    pub(super) is_deleted: bool,
    /// Whether its name is from the table of entries.
    is_named_by_table: bool,
}

/// What is known of a target.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Target {
    /// In the order of their contexts.
    pub(super) tasks: Vec<Task>,
    /// The last task with each address, as an index.
    current_tasks: HashMap<u64, u32>,
    /// The last name at each address.
    pub(super) names: BTreeMap<u64, Name>,
    /// The priorities of tasks in the table of entries, by address.
    priorities: HashMap<u64, u64>,
    /// The objects that are no tasks.
    pub(super) objects: BTreeMap<u64, ObjectClass>,
    /// Interrupt handlers by address, in the order of their first event.
    pub(super) handlers: Vec<u64>,
    /// The tasks that run while no other one is ready.
    pub(super) idle_tasks: Vec<ContextId>,
    /// The names in the table of an image, which has those of the last tasks at their addresses.
    image_names: HashMap<u64, Name>,
    /// The names of idle tasks in the table of entries.
    idle_names: Vec<Name>,
    /// Whether it records when tasks become ready, and when they wait.
    pub(super) records_ready: bool,
    pub(super) records_waits: bool,
    /// For each code of an event with more parameters than usual, one more than their number.
    pub(super) parameters: Vec<u8>,
}

impl Target {
    /// Adds an entry of the table.
    pub(super) fn add_entry(&mut self, entry: &Entry<'_>, name: Name, is_image: bool) {
        if entry.address == 0 {
            return;
        }
        if entry.options & entry_option::IDLE_NAME != 0 {
            self.idle_names.push(name);
            return;
        }
        let class = match entry.options {
            it if it & entry_option::INTERVAL_CHANNEL != 0 => Some(ObjectClass::Marker),
            it if it & entry_option::HEAP != 0 => Some(ObjectClass::BytePool),
            _ => None,
        };
        if let Some(class) = class {
            self.objects.insert(entry.address, class);
        }
        if entry.options == 0 {
            self.priorities.insert(entry.address, entry.states[0]);
        }
        if name.is_empty() {
            return;
        }
        if is_image {
            self.image_names.insert(entry.address, name.clone());
        }
        self.names.insert(entry.address, name);
    }

    /// The current task with that address, if it is known.
    #[inline]
    pub(super) fn find_task(&self, address: u64) -> Option<ContextId> {
        Some(context_of(*self.current_tasks.get(&address)?))
    }

    /// The current task with that address; it is new at this event if it is not known.
    pub(super) fn task(&mut self, kernel: &Kernel, address: u64, event: u64) -> ContextId {
        match self.find_task(address) {
            Some(task) => task,
            None => {
                let priority = self.priorities.get(&address).copied();
                self.create_task(kernel, address, priority, event)
            }
        }
    }

    /// A task is created, possibly with the address of one that no longer exists.
    pub(super) fn create_task(
        &mut self,
        kernel: &Kernel,
        address: u64,
        priority: Option<u64>,
        event: u64,
    ) -> ContextId {
        if let Some(task) = self.find_task(address) {
            // The event is read again.
            let known = self.task_at(task).map(|task| task.first_event);
            if known == Some(event) {
                return task;
            }
        }
        let number = u32::try_from(self.tasks.len()).unwrap_or(u32::MAX);
        let image_name = self.image_names.get(&address);
        if image_name.is_some()
            && let Some(former) = self
                .current_task_mut(address)
                .filter(|it| it.is_named_by_table)
        {
            former.name = None;
        }
        let image_name = self.image_names.get(&address);
        let name = self.names.get(&address).or(image_name).cloned();
        let is_named_by_table = name.is_some() && image_name == name.as_ref();
        let context = context_of(number);
        let is_idle = name.as_ref().is_some_and(|name| {
            let has_prefix = kernel
                .idle_prefix
                .is_some_and(|prefix| name.as_bytes().starts_with(prefix.as_bytes()));
            self.idle_names.contains(name) || has_prefix && priority.is_none_or(|it| it == 0)
        });
        if is_idle {
            self.idle_tasks.push(context);
        }
        self.tasks.push(Task {
            address,
            first_event: event,
            name,
            priority,
            is_deleted: false,
            is_named_by_table,
        });
        self.current_tasks.insert(address, number);
        context
    }

    fn current_task_mut(&mut self, address: u64) -> Option<&mut Task> {
        let number = self.current_tasks.get(&address)?;
        self.tasks.get_mut(*number as usize)
    }

    /// A task is deleted: the next one at its address has another name.
    pub(super) fn delete_task(&mut self, address: u64) {
        if let Some(task) = self.current_task_mut(address) {
            task.is_deleted = true;
            self.names.remove(&address);
        }
    }

    /// The target restarts: its tasks are other ones, even at the same addresses.
    pub(super) fn restart(&mut self) {
        self.current_tasks.clear();
        self.tasks
            .iter_mut()
            .for_each(|task| task.is_deleted = true);
    }

    /// An object gets a name. The tasks that exist keep theirs.
    pub(super) fn set_name(&mut self, address: u64, name: Name) {
        if let Some(task) = self.current_task_mut(address)
            && (task.name.is_none() || task.is_named_by_table)
        {
            task.name = Some(name.clone());
            task.is_named_by_table = false;
        }
        self.names.insert(address, name);
    }

    /// A header and a table that say the same again.
    pub(super) fn to_start(&self, header: &StreamHeader) -> Vec<u8> {
        let named = self.names.iter().map(|(address, name)| {
            let task = self.find_task(*address).and_then(|it| self.task_at(it));
            let priority = task.and_then(|task| task.priority);
            let priority = priority.or_else(|| self.priorities.get(address).copied());
            let options = match self.objects.get(address) {
                Some(ObjectClass::Marker) => entry_option::INTERVAL_CHANNEL,
                Some(ObjectClass::BytePool) => entry_option::HEAP,
                _ => 0,
            };
            Entry {
                address: *address,
                states: [priority.unwrap_or(0), 0, 0],
                options,
                symbol: name.as_bytes(),
            }
        });
        let idle = self.idle_names.iter().map(|name| Entry {
            address: 1,
            states: [0; 3],
            options: entry_option::IDLE_NAME,
            symbol: name.as_bytes(),
        });
        let entries: Vec<_> = named.chain(idle).collect();
        let longest = entries.iter().map(|entry| entry.symbol.len()).max();
        let longest = u32::try_from(longest.unwrap_or(0)).unwrap_or(u32::MAX);
        let mut bytes = Vec::new();
        header.write(longest.min(1024), entries.into_iter(), |it| {
            bytes.extend_from_slice(it);
        });
        bytes
    }

    /// The task of a context.
    pub(super) fn task_at(&self, context: ContextId) -> Option<&Task> {
        let first = Contexts::IDLE.index() + 1;
        self.tasks.get(context.index().checked_sub(first)?)
    }

    /// Whether a task is the current one with its address.
    pub(super) fn is_current(&self, task: &Task) -> bool {
        let current = self.find_task(task.address);
        current.and_then(|it| self.task_at(it)) == Some(task)
    }

    /// Notes how many parameters an event has.
    #[cold]
    pub(super) fn note_parameters(&mut self, code: u16, parameters: u8) {
        self.parameters.resize(1 << 12, 0);
        if let Some(seen) = self.parameters.get_mut(usize::from(code)) {
            *seen = (*seen).max(parameters.saturating_add(1));
        }
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
    fn an_address_means_another_task_after_its_creation() {
        let kernel = Kernel::freertos();
        let mut target = Target::default();
        target.set_name(7, Name::new(b"first"));
        let first = target.task(kernel, 7, 0);
        target.delete_task(7);
        target.set_name(7, Name::new(b"second"));
        let second = target.create_task(kernel, 7, Some(3), 5);
        assert_eq!(
            target.create_task(kernel, 7, Some(3), 5),
            second,
            "read again"
        );
        let names = target.tasks.iter().map(|task| task.name.clone().unwrap());
        assert!(names.eq([Name::new(b"first"), Name::new(b"second")]));
        assert!(first != second && target.task_at(first).unwrap().is_deleted);
    }
}
