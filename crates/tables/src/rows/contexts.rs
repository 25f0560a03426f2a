//! Who executes.

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_trace::{Context, ContextKind, Object};

columns! {
    Context;
    context_id: U32 = |_, it| it.id.0,
        "its number; that of all interrupts is 0, of initialisation 1, of idle 2";
    context: Word = |_, it| Label::Context(it.id),
        "its name, or its address where it has none; `(interrupt)`, `(initialize)`, `(idle)`";
    kind: Word = |_, it| Label::Static(kind(it.kind)),
        "`thread` (also active objects), `interrupt`, `initialize`, `idle`";
    address: U64 = |_, it| it.address.0,
        "where a thread's control block lies, or the word that stands for the context in the recording";
    object_id: optional U32 = |_, it| it.object.map(|object| object.0),
        "the object that names it";
    priority: optional U16 = |scene, it| object(scene, it).and_then(|object| object.priority),
        "its priority when it was registered; 0 is the highest";
    stack_start: optional U64 = |scene, it| object(scene, it).and_then(Object::stack).map(|[start, _]| start),
        "the lowest address of its stack";
    stack_bytes: optional bytes = |scene, it| object(scene, it).and_then(Object::stack).map(|[_, bytes]| bytes),
        "the stack's size";
    events: count = |scene, it| events(scene, it),
        "events that it logged";
}

fn kind(kind: ContextKind) -> &'static str {
    match kind {
        ContextKind::Interrupt => "interrupt",
        ContextKind::Initialize => "initialize",
        ContextKind::Idle => "idle",
        ContextKind::Thread => "thread",
    }
}

fn object<'a>(scene: &RowContext<'a>, context: &Context) -> Option<&'a Object> {
    scene.trace().objects.get(context.object?)
}

fn events(scene: &RowContext<'_>, context: &Context) -> u64 {
    let figures = scene
        .source
        .view
        .event_counts
        .contexts
        .get(context.id.index());
    figures.map_or(0, |figures| figures.events)
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.trace().contexts.iter().copied().collect();
    list_content(scene, OwnedRows::<Context>(all))
}
