//! Names from the firmware's symbols, for objects that are not in the registry.

use rtoscope_symbols::Firmware;
use rtoscope_trace::{
    Address, Catalogue, ContextId, EventKind, EventKindId, Object, ObjectClass, ObjectId, Objects,
    Trace,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Adds the objects that events use and the registry lacks, if a variable of the
/// firmware is at their address. The first file with a variable takes precedence.
pub(crate) fn name_unregistered(trace: &mut Trace, firmware: &[Arc<Firmware>]) {
    if firmware.is_empty() {
        return;
    }
    for file in firmware {
        trace.diagnostics.extend(file.diagnostics().clone());
    }
    let mut objects: Vec<Object> = trace.objects.iter().cloned().collect();
    for (address, class) in unregistered(trace) {
        let mut names = firmware.iter();
        if let Some(name) = names.find_map(|file| file.data_name(address)) {
            objects.push(Object::named(class, address, name));
        }
    }
    if objects.len() > trace.objects.len() {
        trace.objects = Objects::new(objects);
        name_threads(trace);
    }
}

fn name_threads(trace: &mut Trace) {
    let unnamed = trace.contexts.threads().filter(|it| it.object.is_none());
    let named: Vec<(ContextId, ObjectId)> = unnamed
        .filter_map(|thread| {
            let objects = &trace.objects;
            let object = objects.find_class(thread.address, ObjectClass::Thread)?;
            Some((thread.id, object.id))
        })
        .collect();
    for (thread, object) in named {
        trace.contexts.set_object(thread, object);
    }
}

/// The objects that events use and the registry lacks: the threads that logged
/// events, then the arguments, each once, in the order of the trace.
fn unregistered(trace: &Trace) -> Vec<(Address, ObjectClass)> {
    let threads = trace.contexts.threads().filter(|it| it.object.is_none());
    let mut found: Vec<_> = threads
        .map(|thread| (thread.address, ObjectClass::Thread))
        .collect();
    let mut seen: HashSet<(Address, ObjectClass)> = found.iter().copied().collect();
    let mut classes = ArgumentClasses::default();
    trace.events.visit(0..trace.events.len(), |event| {
        let classes = classes.of(&trace.catalogue, event.kind);
        if classes == [None; 4] {
            return;
        }
        for (class, argument) in classes.into_iter().zip(event.arguments) {
            let Some(class) = class.filter(|_| argument != 0) else {
                continue;
            };
            let address = Address(argument);
            if seen.insert((address, class)) && trace.objects.find_as(address, class).is_none() {
                found.push((address, class));
            }
        }
    });
    found
}

/// The classes of the objects among the arguments of each kind.
#[derive(Default)]
struct ArgumentClasses(HashMap<EventKindId, [Option<ObjectClass>; 4]>);

impl ArgumentClasses {
    fn of(&mut self, catalogue: &Catalogue, kind: EventKindId) -> [Option<ObjectClass>; 4] {
        let classes = self.0.entry(kind);
        *classes.or_insert_with(|| catalogue.get(kind).map_or([None; 4], argument_classes))
    }
}

fn argument_classes(kind: &EventKind) -> [Option<ObjectClass>; 4] {
    kind.arguments.each_ref().map(|argument| {
        let class = argument.as_ref()?.meaning.object_class()?;
        class.filter(|class| !class.is_numbered())
    })
}
