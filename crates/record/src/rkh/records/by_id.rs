//! Records by their ids, for callers that have only numbers, such as programs
//! in C.

use crate::port::{Clock, Mask};
use crate::rkh::{ActiveObject, Address, Recorder, Setup};
use rtoscope_wire::rkh::record::record as find;
use rtoscope_wire::rkh::{Argument, ArgumentKind, Dialect, Filtered, Record, Shape};

impl<S: Setup, M: Mask, C: Clock> Recorder<S, M, C> {
    /// Records an event of RKH 3 by its id, with the numbers that its record
    /// has, absent ones among them, in their order; `text` is for records that
    /// have one. `priority` is its active object's, by which it is filtered.
    ///
    /// `false` if there is no such record or if the numbers are too many or too
    /// few. The methods for each record are faster, and this takes them along
    /// in the program: the table of all records.
    pub fn by_id(&self, id: u8, priority: u8, numbers: &[u32], text: &[u8]) -> bool {
        let found = find(Dialect::V3, id).filter(|record| !record.bare);
        let record = match found {
            Some(record) if arguments(record, numbers).is_some() => record,
            _ => return false,
        };
        if self.lets_pass(record, priority, numbers) {
            self.record_slowly(id, 0, |cursor| {
                let mut numbers_left = numbers.iter();
                for argument in arguments(record, numbers).into_iter().flatten() {
                    match argument.kind.width(&S::CONFIGURATION) {
                        Some(width) => {
                            let number = numbers_left.next().copied().unwrap_or_default();
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

    fn lets_pass(&self, record: &'static Record, priority: u8, numbers: &[u32]) -> bool {
        let event = || self.passing.event(record.id);
        let object = || self.passes_object(ActiveObject::new(Address::NONE, priority));
        match record.filter {
            Filtered::Never => self.passing.always(),
            Filtered::Group => event(),
            Filtered::Object => event() && object(),
            Filtered::Signal => {
                let is_signal = |argument: &&Argument| argument.kind == ArgumentKind::Signal;
                let at = record.iter().position(|argument| is_signal(&argument));
                let signal = at.and_then(|at| numbers.get(at)).copied();
                event() && object() && self.passes_signal(signal.unwrap_or_default())
            }
        }
    }
}

/// The arguments of a record with these numbers; [`None`] if it has others.
fn arguments(
    record: &'static Record,
    numbers: &[u32],
) -> Option<impl Iterator<Item = &'static Argument>> {
    let expected = match record.shape {
        Shape::Fixed => None,
        Shape::Expectation => {
            let id = numbers.get(record.arguments.len().checked_sub(1)?)?;
            let expected = find(Dialect::V3, u8::try_from(*id).ok()?)?;
            Some(expected.expected()?)
        }
        Shape::Items | Shape::Configuration => return None,
    };
    let all = || record.iter().chain(expected.clone().into_iter().flatten());
    let fits = all().filter(|one| one.kind != ArgumentKind::Text).count() == numbers.len();
    fits.then(all)
}
