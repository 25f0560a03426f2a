//! Records by id, for callers that have only numbers, such as C programs.

use crate::port::{Clock, Mask};
use crate::rkh::{ActiveObject, Address, RkhRecorder, StreamSetup};
use rtoscope_wire::rkh::id::user_event;
use rtoscope_wire::rkh::record::record_spec as find;
use rtoscope_wire::rkh::{
    ArgumentKind, ArgumentLayout, ArgumentSpec, Dialect, FilterLevel, RecordSpec,
};

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// Records an event of RKH 3 by its id. `numbers` are the numbers of its record in
    /// order, including absent ones; `text` is for records with a text. The filter uses
    /// `priority` as the priority of the active object.
    ///
    /// Returns `false` if there is no such record, if `numbers` has the wrong length, or if
    /// a user's event in it does not exist.
    /// The method of each record is faster; this one also adds the table of all records
    /// to the program.
    pub fn record_by_id(&self, id: u8, priority: u8, numbers: &[u32], text: &[u8]) -> bool {
        let found = find(Dialect::V3, id).filter(|record| !record.headerless);
        let record = match found {
            Some(record) if arguments(record, numbers).is_some() => record,
            _ => return false,
        };
        if self.passes_by_id(record, priority, numbers) {
            self.record_with(id, 0, |cursor| {
                let mut numbers_left = numbers.iter();
                for argument in arguments(record, numbers).into_iter().flatten() {
                    match argument.kind.width(&S::CONFIGURATION) {
                        Some(width) => {
                            let number = numbers_left.next().copied().unwrap_or_default();
                            let number = match argument.kind {
                                ArgumentKind::UserEvent => {
                                    user_event(number).map_or(number, u32::from)
                                }
                                kind => kind.wire_number(number, &S::CONFIGURATION),
                            };
                            let bytes = number.to_le_bytes();
                            cursor.bytes(bytes.get(..width).unwrap_or_default());
                        }
                        None => cursor.text(text),
                    }
                }
            });
        }
        true
    }

    fn passes_by_id(&self, record: &'static RecordSpec, priority: u8, numbers: &[u32]) -> bool {
        let event = || self.passing.event(record.id);
        let object = || self.passes_object(ActiveObject::new(Address::NONE, priority));
        match record.filter {
            FilterLevel::Never => self.passing.always(),
            FilterLevel::Group => event(),
            FilterLevel::Object => event() && object(),
            FilterLevel::Signal => {
                let is_signal = |argument: &&ArgumentSpec| argument.kind == ArgumentKind::Signal;
                let index = record.iter().position(|argument| is_signal(&argument));
                let signal = index.and_then(|index| numbers.get(index)).copied();
                event() && object() && self.passes_signal(signal.unwrap_or_default())
            }
        }
    }
}

/// The arguments of a record with these numbers; [`None`] if their count is wrong.
fn arguments(
    record: &'static RecordSpec,
    numbers: &[u32],
) -> Option<impl Iterator<Item = &'static ArgumentSpec>> {
    let expected = match record.layout {
        ArgumentLayout::Fixed => None,
        ArgumentLayout::Expectation => {
            let id = numbers.get(record.arguments.len().checked_sub(1)?)?;
            let expected = find(Dialect::V3, u8::try_from(*id).ok()?)?;
            Some(expected.expectation_arguments()?)
        }
        ArgumentLayout::Items | ArgumentLayout::Configuration => return None,
    };
    let all = || record.iter().chain(expected.clone().into_iter().flatten());
    let numeric = || all().filter(|one| one.kind != ArgumentKind::Text);
    let fits = numeric().count() == numbers.len()
        && numeric().zip(numbers).all(|(argument, number)| {
            argument.kind != ArgumentKind::UserEvent || user_event(*number).is_some()
        });
    fits.then(all)
}
