//! The table `levels`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{NestedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::levels::LevelStep;
use rtoscope_trace::{ResourceId, Ticks};

pub(crate) struct LevelRow {
    object: ResourceId,
    capacity: Option<u64>,
    step: LevelStep,
    end: Ticks,
}

columns! {
    COLUMNS: LevelRow;
    object: Name = |_, it| Label::Resource(it.object),
        "the object";
    object_address: optional address = |ctx, it| ctx.resource(it.object).map(|it| it.address.0),
        "address of the object; objects can share a name";
    class: optional Dictionary = |ctx, it| ctx.class_name(it.object).map(Label::Static),
        "class of the object";
    start: time = |_, it| it.step.start,
        "start of the interval, since the first event of the recording";
    end: time = |_, it| it.end,
        "end of the interval; it can equal the start";
    duration: duration = |_, it| it.duration(),
        "duration of the interval";
    level: optional count = |_, it| it.step.level.map(u64::from),
        "messages in a queue, count of a semaphore, free blocks or bytes of a pool; null if unknown";
    capacity: optional count = |_, it| it.capacity,
        "maximum level, if recorded";
    event: event = |ctx, it| ctx.event_number(it.step.event),
        "call that started the interval, or the last one before it";
}

impl LevelRow {
    fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.step.start.0))
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let histories: Vec<_> = ctx.recording.level_histories.iter().collect();
    let lengths: Vec<_> = histories.iter().map(|(_, history)| history.len()).collect();
    let row = move |object: usize, at: usize| {
        let (object, history) = *histories.get(object)?;
        let next = history.step(at + 1);
        Some(LevelRow {
            object,
            capacity: history.capacity(),
            step: history.step(at)?,
            end: next.map_or(history.end(), |next| next.start),
        })
    };
    list_content(ctx, NestedRows::new(lengths.into_iter(), row))
}
