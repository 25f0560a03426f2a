use crate::Name;

/// The names of tasks that a kernel identifies by numbers, as text to which log entries
/// can point.
pub(super) struct TaskNames<const TASKS: usize>([NamedTask; TASKS]);

#[derive(Clone, Copy)]
struct NamedTask {
    number: u32,
    /// Terminated by a NUL; empty in a free slot.
    text: [u8; NAME_BYTES],
}

const NAME_BYTES: usize = 28;

/// The name of all tasks without a slot.
const FALLBACK_NAME: Name = crate::name!("task");

impl<const TASKS: usize> TaskNames<TASKS> {
    pub(super) const EMPTY: Self = Self(
        [NamedTask {
            number: 0,
            text: [0; NAME_BYTES],
        }; TASKS],
    );

    /// Sets the name of a task; the first 27 bytes are kept.
    pub(super) fn set(&mut self, number: u32, name: &str) {
        if let Some(task) = self.slot_mut(number) {
            let text = name.bytes().take_while(|byte| *byte != 0);
            task.write(number, text);
        }
    }

    /// The name of a task; if it has none, one that contains its number.
    pub(super) fn get(&mut self, number: u32) -> Name {
        match self.slot_mut(number) {
            Some(task) => {
                if task.is_free() {
                    let digits = (0..8).rev().map(|digit| hex_digit(number >> (4 * digit)));
                    task.write(number, b"task ".iter().copied().chain(digits));
                }
                Name::from_ptr(task.text.as_ptr())
            }
            None => FALLBACK_NAME,
        }
    }

    /// The slot of a task, or the first free slot of a search that starts at its number.
    fn slot_mut(&mut self, number: u32) -> Option<&mut NamedTask> {
        // Addresses are multiples of four or eight, and their high bits are alike.
        let first = (number >> 3) as usize;
        let index = (0..TASKS)
            .map(|step| first.wrapping_add(step).checked_rem(TASKS).unwrap_or(0))
            .find(|index| match self.0.get(*index) {
                Some(task) => task.is_free() || task.number == number,
                None => false,
            })?;
        self.0.get_mut(index)
    }
}

impl NamedTask {
    fn is_free(&self) -> bool {
        self.text.first() == Some(&0)
    }

    /// The text always ends with a NUL, because the last byte is never written.
    fn write(&mut self, number: u32, text: impl Iterator<Item = u8>) {
        self.number = number;
        let mut text = text.fuse();
        for byte in self.text.iter_mut().take(NAME_BYTES - 1) {
            *byte = text.next().unwrap_or(0);
        }
    }
}

/// The hexadecimal digit of the low four bits.
fn hex_digit(number: u32) -> u8 {
    match (number & 0xF) as u8 {
        digit @ 0..=9 => digit.wrapping_add(b'0'),
        digit => digit.wrapping_add(b'A' - 10),
    }
}

#[cfg(test)]
mod tests {
    use super::{FALLBACK_NAME, TaskNames};
    use crate::Name;
    use std::string::String;

    fn text(name: Name) -> String {
        // SAFETY: the text of these names, which ends with a NUL.
        let byte = |at: usize| unsafe { *name.as_ptr().add(at) };
        (0..)
            .map(byte)
            .take_while(|byte| *byte != 0)
            .map(char::from)
            .collect()
    }

    #[test]
    fn every_task_has_a_name() {
        let mut names = TaskNames::<2>::EMPTY;
        names.set(0, "a name that is too long to be kept");
        assert_eq!(text(names.get(0)), "a name that is too long to ");
        assert_eq!(text(names.get(0x2000_01AF)), "task 200001AF");
        names.set(0x2000_01AF, "blinky\0");
        assert_eq!(text(names.get(0x2000_01AF)), "blinky");
        assert_eq!(names.get(8), FALLBACK_NAME);
        let mut none = TaskNames::<0>::EMPTY;
        assert_eq!(none.get(8), FALLBACK_NAME);
    }
}
