//! Records by id, for callers that have only numbers, such as C programs.

use crate::port::{Clock, Mask};
use crate::rkh::{ActiveObject, Address, EncodedArguments, RkhRecorder, StreamSetup};
use rtoscope_wire::rkh::id::user_event;
use rtoscope_wire::rkh::record::record_spec as find;
use rtoscope_wire::rkh::{
    ArgumentIter, ArgumentKind, ArgumentLayout, ArgumentSpec, Dialect, FilterLevel, RecordSpec,
};

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// Records an event of RKH 3 by its id. `numbers` are the numbers of its record in
    /// order, including absent ones; `text` is for records with a text. The filter uses
    /// `priority` as the priority of the active object.
    ///
    /// Returns `false` if there is no such record, if `numbers` has the wrong length, or if
    /// a user's event in it does not exist. A text of more than 200 bytes may make the record
    /// too large; it is then lost. The method of each record is faster; this one also adds
    /// the table of all records to the program.
    pub fn record_by_id(&self, id: u8, priority: u8, numbers: &[u32], text: &[u8]) -> bool {
        let record = match find(Dialect::V3, id) {
            Some(record) if !record.headerless => record,
            _ => return false,
        };
        let mut encoder = Encoder {
            encoded: EncodedArguments::new(),
            numbers,
            text,
        };
        if !encoder.record::<S>(record) {
            return false;
        }
        if self.passes_by_id(record, priority, numbers) {
            self.record_encoded(id, &mut encoder.encoded);
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

/// Maximum length of arguments in words, and the word after them.
const MAX_WORDS: usize = 248 / 4 + 1;

/// Encodes the arguments of a record.
struct Encoder<'a> {
    encoded: EncodedArguments<MAX_WORDS>,
    /// The numbers that were not encoded yet.
    numbers: &'a [u32],
    text: &'a [u8],
}

impl Encoder<'_> {
    /// Returns `false` if the numbers are not those of the record.
    fn record<S: StreamSetup>(&mut self, record: &'static RecordSpec) -> bool {
        let mut last = 0;
        let encodes = |encoder: &mut Self, last: &mut u32, arguments: ArgumentIter| {
            let mut arguments = arguments;
            arguments.all(|argument| match encoder.argument::<S>(argument.kind) {
                Some(number) => {
                    *last = number;
                    true
                }
                None => false,
            })
        };
        let encoded = encodes(self, &mut last, record.iter())
            && match record.layout {
                ArgumentLayout::Fixed => true,
                // The last number is the id of the expected record.
                ArgumentLayout::Expectation => u8::try_from(last)
                    .ok()
                    .and_then(|id| find(Dialect::V3, id))
                    .and_then(RecordSpec::expectation_arguments)
                    .map_or(false, |arguments| encodes(self, &mut last, arguments)),
                ArgumentLayout::Items | ArgumentLayout::Configuration => false,
            };
        encoded && self.numbers.is_empty()
    }

    /// The number of an argument, 0 for a text; [`None`] if there is none.
    fn argument<S: StreamSetup>(&mut self, kind: ArgumentKind) -> Option<u32> {
        let width = match kind.width(&S::CONFIGURATION) {
            Some(width) => width,
            None => {
                let nul = self.text.iter().position(|byte| *byte == 0);
                let text = self.text.get(..nul.unwrap_or(self.text.len()));
                self.encoded.push_bytes(text.unwrap_or_default());
                self.encoded.push_number(0, 1);
                return Some(0);
            }
        };
        let (number, rest) = self.numbers.split_first()?;
        self.numbers = rest;
        let on_wire = match kind {
            ArgumentKind::UserEvent => user_event(*number)?.into(),
            kind => kind.wire_number(*number, &S::CONFIGURATION),
        };
        self.encoded.push_number(on_wire, width);
        Some(*number)
    }
}
