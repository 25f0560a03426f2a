//! What the recording names.

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_trace::Object;

columns! {
    &Object;
    object_id: U32 = |_, it| it.id.0,
        "its number";
    object: Word = |_, it| Label::Object(it.id),
        "its name, or its address where it has none";
    class: Word = |_, it| Label::Static(it.class.name()),
        "what it is, such as `queue` or `event-flags`";
    address: U64 = |_, it| it.address.0,
        "where it lies, or the number of what has one";
    parameter1: U64 = |_, it| it.parameters[0],
        "what it means depends on the class: of a thread the start of its stack, of a timer its initial ticks, of a pool its bytes";
    parameter2: U64 = |_, it| it.parameters[1],
        "of a thread the size of its stack, of a timer the ticks of its period, of a queue the words of a message";
    priority: optional U16 = |_, it| it.priority,
        "a thread's priority when it was registered; 0 is the highest";
    deleted: Bool = |_, it| it.deleted,
        "whether the recording says that it was deleted";
    slot: U32 = |_, it| it.slot,
        "its slot in the registry; of RKH its place in the list";
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.trace().objects.iter().collect();
    list_content(scene, OwnedRows::<&'a Object>(all))
}
