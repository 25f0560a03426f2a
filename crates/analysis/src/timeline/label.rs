//! Texts, as keys that are formatted when they are written.

use crate::naming::NameFormatter;
use crate::report::{CpuContext, View};
use crate::schedule::ThreadState;
use rtoscope_trace::{Address, ContextId, ResourceId, Signal, Vertex};
use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;

/// A text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text<'t> {
    /// Itself.
    Str(&'t str),
    /// A name.
    Label(Label),
    /// The names of contexts.
    Contexts(&'t [ContextId]),
}

/// The name of something in the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Label {
    /// What a core runs.
    Cpu(CpuContext),
    /// A context.
    Context(ContextId),
    /// An object.
    Resource(ResourceId),
    /// A signal of active objects.
    Signal(Signal),
    /// A state of a machine.
    Vertex(Vertex),
    /// A place in the code.
    Code(Address),
    /// A thread's state, with the reason of a wait and its object.
    State(ThreadState),
    /// A blocked thread, and the one that blocks it.
    Blocked(ContextId, Option<ContextId>),
}

/// The formatted names of a trace.
#[derive(Debug)]
pub struct Names<'a> {
    view: View<'a>,
    contexts: Vec<Rc<str>>,
    others: HashMap<Label, Rc<str>>,
}

/// A formatted text.
#[derive(Debug, Clone)]
pub enum Name<'t> {
    /// Borrowed.
    Str(&'t str),
    /// Shared with [`Names`].
    Shared(Rc<str>),
}

impl Label {
    /// The text.
    pub fn text(self, view: &View<'_>) -> String {
        let trace = view.trace;
        let naming = NameFormatter(trace);
        match self {
            Self::Cpu(context) => context.name(trace, view.schedule),
            Self::Context(ContextId::UNKNOWN) => "(unknown)".to_owned(),
            Self::Context(context) => trace.context_name(context),
            Self::Resource(resource) => view.resource_name(resource),
            Self::Signal(signal) => naming.signal(signal),
            Self::Vertex(vertex) => naming.vertex(vertex),
            Self::Code(address) => trace.code_locations.display(address).to_string(),
            Self::State(ThreadState::Unknown) => "(unknown)".to_owned(),
            Self::State(ThreadState::Deleted) => "deleted".to_owned(),
            Self::State(ThreadState::Ready) => "ready".to_owned(),
            Self::State(ThreadState::Running) => "running".to_owned(),
            Self::State(ThreadState::Waiting {
                wait_reason,
                resource,
            }) => {
                let object = resource.map(|resource| view.resource_name(resource));
                wait_reason.describe(object.as_deref())
            }
            Self::Blocked(blocked, owner) => {
                let by = owner.map(|owner| format!(" by {}", trace.context_name(owner)));
                let blocked = trace.context_name(blocked);
                format!("{blocked} blocked{}", by.unwrap_or_default())
            }
        }
    }
}

impl<'a> Names<'a> {
    /// The names of a trace.
    pub fn new(view: &View<'a>) -> Self {
        let contexts = view.trace.contexts.iter();
        let contexts = contexts.map(|context| view.trace.context_name(context.id).into());
        Self {
            view: *view,
            contexts: contexts.collect(),
            others: HashMap::new(),
        }
    }

    /// The formatted text.
    #[inline]
    pub fn name<'t>(&mut self, text: Text<'t>) -> Name<'t> {
        match text {
            Text::Str(text) => Name::Str(text),
            Text::Label(label) => Name::Shared(self.label(label)),
            Text::Contexts(contexts) => {
                let names: Vec<_> = contexts
                    .iter()
                    .map(|context| self.label(Label::Context(*context)))
                    .collect();
                Name::Shared(names.join(", ").into())
            }
        }
    }

    fn label(&mut self, label: Label) -> Rc<str> {
        if let Label::Context(context) | Label::Cpu(CpuContext::Thread(context)) = label
            && let Some(name) = self.contexts.get(context.index())
        {
            return Rc::clone(name);
        }
        let view = &self.view;
        let name = self.others.entry(label);
        Rc::clone(name.or_insert_with(|| label.text(view).into()))
    }
}

impl Deref for Name<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Str(text) => text,
            Self::Shared(text) => text,
        }
    }
}
