//! The events of the format.

use std::sync::LazyLock;

/// An event of the format.
#[derive(Debug)]
pub(super) struct EventLayout {
    pub(super) name: &'static str,
    pub(super) fields: Vec<(&'static str, FieldEncoding)>,
}

/// How a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldEncoding {
    /// A number of variable length.
    Number,
    /// The same, with the sign in bit 0.
    Signed,
    Byte,
    /// The rest of the frame.
    Text,
}

/// The name of the time among the fields, without which an event is metadata.
pub(super) const TIME: &str = "ts";

/// The event with a number.
pub(super) fn layout(id: u8) -> Option<&'static EventLayout> {
    static LAYOUTS: LazyLock<Vec<Option<EventLayout>>> = LazyLock::new(|| {
        let mut all: Vec<_> = (0..=u8::MAX).map(|_| None).collect();
        for line in include_str!("events.txt").lines() {
            if let Some((id, layout)) = read_line(line)
                && let Some(place) = all.get_mut(usize::from(id))
            {
                *place = Some(layout);
            }
        }
        all
    });
    LAYOUTS.get(usize::from(id))?.as_ref()
}

fn read_line(line: &'static str) -> Option<(u8, EventLayout)> {
    let mut words = line.split_ascii_whitespace();
    let id = u8::from_str_radix(words.next()?, 16).ok()?;
    let name = words.next()?;
    let fields = words.map(|field| match field.split_once(':') {
        Some((name, "text")) => (name, FieldEncoding::Text),
        Some((name, "signed")) => (name, FieldEncoding::Signed),
        Some((name, _)) => (name, FieldEncoding::Byte),
        None => (field, FieldEncoding::Number),
    });
    let fields = fields.collect();
    Some((id, EventLayout { name, fields }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_an_event() {
        let events = (0..=u8::MAX).filter_map(layout).count();
        let lines = include_str!("events.txt").lines();
        assert_eq!(events, lines.filter(|line| !line.starts_with('#')).count());
        let marker = layout(0x0B).unwrap();
        assert_eq!(marker.name, "valmarker");
        assert_eq!(marker.fields[0], (TIME, FieldEncoding::Number));
        assert_eq!(marker.fields[2], ("val", FieldEncoding::Signed));
    }
}
