//! Contexts: threads, interrupt service routines, initialisation, idle.

use crate::{Address, ContextId, EventIndex, Name, ObjectId};

/// The kind of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContextKind {
    /// All interrupt service routines; their events distinguish them.
    Interrupt,
    /// Before the scheduler starts.
    Initialize,
    /// No thread is ready.
    Idle,
    /// A thread.
    Thread,
}

/// What can run on a core. [`Trace::context_name`](crate::Trace::context_name)
/// is its display name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// Its number in the trace.
    pub id: ContextId,
    /// Its kind.
    pub kind: ContextKind,
    /// A thread's address, or the word that represents the context in the
    /// recording.
    pub address: Address,
    /// The object with the thread's name; `None` for a thread without a name in
    /// the recording.
    pub object: Option<ObjectId>,
}

/// The contexts of a trace. The first three are always interrupt,
/// initialisation and idle. Threads follow in the order of the registry, then
/// unregistered threads in the order of their first event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contexts {
    all: Vec<Context>,
    /// The names of contexts that are no threads, sorted by address.
    names: Vec<(Address, Name)>,
    /// Sorted by event.
    reassigned: Vec<(EventIndex, Address, ContextId)>,
}

impl Contexts {
    /// The context of all interrupt service routines.
    pub const INTERRUPT: ContextId = ContextId(0);
    /// The context before the scheduler started.
    pub const INITIALIZE: ContextId = ContextId(1);
    /// The context while no thread is ready.
    pub const IDLE: ContextId = ContextId(2);

    /// Creates the three fixed contexts, with the addresses that represent them
    /// in the recording.
    pub fn new(interrupt: Address, initialize: Address, idle: Address) -> Self {
        let fixed = [
            (ContextKind::Interrupt, interrupt),
            (ContextKind::Initialize, initialize),
            (ContextKind::Idle, idle),
        ];
        let mut contexts = Self {
            all: Vec::new(),
            names: Vec::new(),
            reassigned: Vec::new(),
        };
        for (kind, address) in fixed {
            contexts.push(kind, address, None);
        }
        contexts
    }

    /// Adds a thread and returns its number.
    pub fn push_thread(&mut self, address: Address, object: Option<ObjectId>) -> ContextId {
        self.push(ContextKind::Thread, address, object)
    }

    /// A task is an idle task rather than a thread: its time is idle time, which
    /// [`IDLE`](Self::IDLE) has.
    pub fn set_idle_task(&mut self, task: ContextId) {
        if let Some(context) = self.all.get_mut(task.index()) {
            context.kind = ContextKind::Idle;
        }
    }

    /// Whether a task is an idle task.
    pub fn is_idle_task(&self, task: ContextId) -> bool {
        let context = self.all.get(task.index());
        context.is_some_and(|context| context.kind == ContextKind::Idle)
    }

    /// Sets the object with a thread's name.
    pub fn set_object(&mut self, thread: ContextId, object: ObjectId) {
        if let Some(context) = self.all.get_mut(thread.index()) {
            context.object = Some(object);
        }
    }

    /// Adds the names that the recording gives interrupt handlers and the idle loop,
    /// by the address of the name.
    pub fn add_names(&mut self, names: impl IntoIterator<Item = (Address, Name)>) {
        self.names.extend(names);
        self.names.sort_by_key(|(address, _)| *address);
        self.names.dedup_by_key(|(address, _)| *address);
    }

    /// The name of an interrupt handler or of the idle loop that is at an address.
    pub fn name_at(&self, address: Address) -> Option<&Name> {
        let found = self.names.binary_search_by_key(&address, |(at, _)| *at);
        let (_, name) = self.names.get(found.ok()?)?;
        Some(name)
    }

    /// The names of interrupt handlers and the idle loop, by address.
    pub fn names(&self) -> impl Iterator<Item = (Address, &Name)> {
        self.names.iter().map(|(address, name)| (*address, name))
    }

    /// Sets the events from which on an address means another thread than the first one with
    /// that address.
    pub fn set_reassigned(&mut self, mut reassigned: Vec<(EventIndex, Address, ContextId)>) {
        reassigned.sort_by_key(|(event, ..)| *event);
        self.reassigned = reassigned;
    }

    /// The events from which on an address means another thread, in order.
    pub fn reassigned(&self) -> &[(EventIndex, Address, ContextId)] {
        &self.reassigned
    }

    fn push(&mut self, kind: ContextKind, address: Address, object: Option<ObjectId>) -> ContextId {
        let id = ContextId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(Context {
            id,
            kind,
            address,
            object,
        });
        id
    }

    /// All contexts.
    pub fn iter(&self) -> std::slice::Iter<'_, Context> {
        self.all.iter()
    }

    /// The context with that number.
    pub fn get(&self, id: ContextId) -> Option<&Context> {
        self.all.get(id.index())
    }

    /// Number of contexts, including the three fixed ones.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Never true: the fixed contexts are always there.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The threads.
    pub fn threads(&self) -> impl Iterator<Item = &Context> {
        self.iter()
            .filter(|context| context.kind == ContextKind::Thread)
    }
}

impl ContextId {
    /// Whether it is a thread: neither a fixed context nor unknown.
    pub fn is_thread(self) -> bool {
        self > Contexts::IDLE && self != Self::UNKNOWN
    }
}

impl<'a> IntoIterator for &'a Contexts {
    type Item = &'a Context;
    type IntoIter = std::slice::Iter<'a, Context>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
