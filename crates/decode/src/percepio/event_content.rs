//! What events say about tasks and objects, and their texts.

use super::event_reader::{CoreState, EventReader, NO_TASK};
use super::kernel::{Role, Shape};
use super::stream_format::{MAX_CORES, StreamFormat};
use crate::format_strings::render_text;
use rtoscope_trace::extras::{ItemType, ItemValue, TypedItem};
use rtoscope_trace::{Contexts, ObjectClass};
use rtoscope_wire::percepio::{EventHeader, Layout};
use std::sync::Arc;

impl EventReader {
    /// Notes what an event says about tasks and objects.
    #[inline(never)]
    pub(super) fn describe(
        &mut self,
        stream: &StreamFormat,
        role: Role,
        words: &Words<'_>,
        next: &mut CoreState,
    ) {
        let kernel = stream.kernel;
        let (first, event) = (words.get(0), self.page.end());
        match role {
            Role::Start => {
                for (number, address) in words.iter().enumerate().take(MAX_CORES) {
                    let context = match address {
                        0 | NO_TASK => Contexts::INITIALIZE,
                        _ => self.running(kernel, address),
                    };
                    if let Some(core) = self.state.cores.get_mut(number) {
                        core.context = context;
                    }
                    if number == 0 {
                        next.context = context;
                    }
                }
            }
            Role::Name => {
                let name = self.options.text_encoding.name(words.text(1));
                if self.target.names.get(&first) != Some(&name) {
                    self.target_mut().set_name(first, name);
                }
            }
            Role::DefineIsr => {
                let name = self.options.text_encoding.name(words.text(2));
                self.target_mut().set_name(first, name);
                self.note_handler(first);
            }
            Role::CreateTask => {
                let priority = (words.len() > 1).then(|| words.get(1));
                self.target_mut()
                    .create_task(kernel, first, priority, event);
            }
            Role::DeleteTask => {
                self.task(kernel, first);
                self.target_mut().delete_task(first);
            }
            Role::Ready => {
                self.task(kernel, first);
                if !self.target.records_ready {
                    self.target_mut().records_ready = true;
                }
            }
            Role::Wait(_) | Role::Suspend if !self.target.records_waits => {
                self.target_mut().records_waits = true;
            }
            Role::Use(class) => self.note_object(first, class),
            _ => {}
        }
    }

    fn note_object(&mut self, address: u64, class: ObjectClass) {
        if address != 0 && self.target.objects.get(&address) != Some(&class) {
            self.target_mut().objects.insert(address, class);
        }
    }

    /// Reads the text at the end of an event.
    #[inline(never)]
    pub(super) fn read_text(&mut self, shape: Shape, words: &Words<'_>, values: &mut [u64; 4]) {
        if let Role::Print(count) = shape.role {
            let numbers: Vec<u64> = words.iter().skip(1).take(count.into()).collect();
            self.print(&numbers, words.text(usize::from(count) + 1));
            *values = [words.get(0), 0, 0, 0];
            return;
        }
        let Some(place) = shape.parameters.and_then(|count| count.checked_sub(1)) else {
            return;
        };
        let place = usize::from(place);
        let name = self.options.text_encoding.name(words.text(place));
        let position = self.page.extras.push_text(until_nul(name.as_bytes()));
        for (number, value) in values.iter_mut().enumerate().skip(place) {
            *value = if number == place { position.into() } else { 0 };
        }
    }

    /// Adds a formatted text and its values.
    fn print(&mut self, numbers: &[u64], format: &[u8]) {
        let format = self.options.text_encoding.name(format);
        // Signed numbers are extended to the width of a word.
        let narrow = |number: &u64| {
            let is_negative = (*number as i64) < 0 && i32::try_from(*number as i64).is_ok();
            (is_negative || *number <= u32::MAX.into()).then_some(*number as u32)
        };
        let values: Option<Vec<u32>> = numbers.iter().map(narrow).collect();
        let target = Arc::clone(&self.target);
        let string = |address: u32| Some(target.names.get(&address.into())?.as_bytes());
        let text = values.filter(|values| !values.is_empty());
        let text = text.and_then(|values| render_text(format.as_bytes(), &values, string));
        let text = text.as_deref().map_or(format.as_bytes(), str::as_bytes);
        self.push_item(ItemType::Text, ItemValue::Text(until_nul(text)));
        for number in numbers {
            match narrow(number) {
                Some(narrow) if *number > u32::MAX.into() => {
                    self.push_item(ItemType::I32, ItemValue::Signed(narrow.cast_signed()));
                }
                Some(narrow) => self.push_item(ItemType::U32, ItemValue::Number(narrow)),
                None => {
                    let text = format!("{number:#x}");
                    self.push_item(ItemType::Text, ItemValue::Text(text.as_bytes()));
                }
            }
        }
    }

    fn push_item(&mut self, item_type: ItemType, value: ItemValue<'_>) {
        self.page.extras.push_item(&TypedItem {
            item_type,
            width: 0,
            value,
        });
    }

    /// Keeps the parameters that do not fit, or that the port does not describe.
    #[inline(never)]
    pub(super) fn read_further(&mut self, event: &EventHeader, shape: Shape, words: &Words<'_>) {
        for word in words.iter().skip(4) {
            self.page.extras.push(word as u32);
        }
        let seen = self.target.parameters.get(usize::from(event.code)).copied();
        if event.parameters > shape.parameters.unwrap_or(0) && seen.unwrap_or(0) <= event.parameters
        {
            self.target_mut()
                .note_parameters(event.code, event.parameters);
        }
    }
}

/// The parameters of an event.
pub(super) struct Words<'a> {
    pub(super) layout: Layout,
    pub(super) body: &'a [u8],
}

impl<'a> Words<'a> {
    const fn len(&self) -> usize {
        self.body.len() / self.layout.word_bytes()
    }

    /// A parameter; 0 if the event has fewer.
    #[inline]
    pub(super) fn get(&self, place: usize) -> u64 {
        let at = place * self.layout.word_bytes();
        self.layout.word(self.body, at).unwrap_or(0)
    }

    fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.len()).map(|place| self.get(place))
    }

    /// The text that begins with a parameter.
    fn text(&self, place: usize) -> &'a [u8] {
        let text = self.body.get(place * self.layout.word_bytes()..);
        until_nul(text.unwrap_or_default())
    }
}

fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}
