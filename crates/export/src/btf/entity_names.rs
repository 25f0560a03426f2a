//! Unique names that contain no comma.

use crate::naming::numbered_name;
use crate::signals::UniqueNames;
use rtoscope_analysis::View;
use rtoscope_analysis::report::CpuContext;
use rtoscope_analysis::timeline::{Label, cores};
use rtoscope_trace::{ContextId, ResourceId};
use std::collections::HashMap;
use std::rc::Rc;

/// The names of cores, tasks, ISRs and mutexes.
pub(super) struct EntityNames<'a> {
    view: View<'a>,
    unique: UniqueNames,
    /// By place.
    cores: Vec<Rc<str>>,
    /// By context.
    tasks: Vec<Rc<str>>,
    others: HashMap<Label, Rc<str>>,
}

impl<'a> EntityNames<'a> {
    pub(super) fn new(view: &View<'a>) -> Self {
        let mut unique = UniqueNames::default();
        let mut add = |name: String| -> Rc<str> { unique.make_unique(name, numbered_name).into() };
        let cores = cores(view)
            .map(|core| add(format!("Core_{core}")))
            .collect();
        let contexts = view.trace.contexts.iter();
        let tasks = contexts.map(|context| match context.id.is_thread() {
            true => add(plain_name(&view.trace.context_name(context.id))),
            false => "".into(),
        });
        Self {
            view: *view,
            tasks: tasks.collect(),
            cores,
            unique,
            others: HashMap::new(),
        }
    }

    pub(super) fn core(&self, place: usize) -> Rc<str> {
        self.cores.get(place).cloned().unwrap_or_default()
    }

    pub(super) fn task(&self, thread: ContextId) -> Rc<str> {
        self.tasks.get(thread.index()).cloned().unwrap_or_default()
    }

    /// What runs on a core and is no task.
    pub(super) fn isr(&mut self, context: CpuContext) -> Rc<str> {
        self.other(Label::Cpu(context))
    }

    pub(super) fn mutex(&mut self, mutex: ResourceId) -> Rc<str> {
        self.other(Label::Resource(mutex))
    }

    fn other(&mut self, label: Label) -> Rc<str> {
        let (unique, view) = (&mut self.unique, &self.view);
        let name = self.others.entry(label).or_insert_with(|| {
            let name = plain_name(&label.text(view));
            unique.make_unique(name, numbered_name).into()
        });
        Rc::clone(name)
    }
}

/// The name without characters that end a field or a line. `[` at the start has a meaning for some
/// readers.
pub(super) fn plain_name(name: &str) -> String {
    let is_special = |character: char| character == ',' || character.is_control();
    let name = name.replace(is_special, "_");
    match name.strip_prefix('[') {
        Some(rest) => format!("({rest}"),
        None if name.trim().is_empty() => "_".to_owned(),
        None => name.trim().to_owned(),
    }
}
