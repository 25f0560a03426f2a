//! The header of a value change dump: the unit of times, and the variables in their scopes.

use super::signal_table::{SignalTable, SignalType};
use rtoscope_trace::Frequency;

/// What the header says so far.
#[derive(Debug, Clone, Default)]
pub(super) struct VcdHeader {
    /// The lengths of the names of the scopes that contain what follows.
    scopes: Vec<usize>,
    /// Their names, each with a dot after it.
    path: Vec<u8>,
    /// The number of scopes beyond the maximum.
    excess_scopes: u32,
    /// The path that all variables have in common so far.
    common: Option<Vec<u8>>,
    /// Whether the end of the header is read.
    pub(super) is_complete: bool,
}

/// Maximum length of the names of scopes together.
const MAX_PATH_BYTES: usize = 1 << 10;

impl VcdHeader {
    /// Reads a command of the header: its keyword, and the words up to its end.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(super) fn read(
        &mut self,
        keyword: &[u8],
        words: &[&[u8]],
        table: &mut SignalTable,
    ) -> Result<(), &'static str> {
        match keyword {
            b"$date" => table.set_property("date", &words.join(&b' ')),
            b"$version" => table.set_property("version", &words.join(&b' ')),
            b"$timescale" => {
                let unit = unit(&words.concat()).ok_or("the unit of times is unknown")?;
                table.frequency = table.frequency.or(unit);
                table.set_property("timescale", &words.join(&b' '));
            }
            b"$scope" => {
                let name = words.get(1).ok_or("a scope without a name")?;
                self.enter(name);
            }
            b"$upscope" => self.leave(),
            b"$var" => self.add_variable(words, table)?,
            b"$enddefinitions" => self.finish(table),
            // Comments, and what tools add.
            _ => {}
        }
        Ok(())
    }

    fn enter(&mut self, name: &[u8]) {
        if self.excess_scopes > 0 || self.path.len() + name.len() >= MAX_PATH_BYTES {
            self.excess_scopes = self.excess_scopes.saturating_add(1);
            return;
        }
        self.scopes.push(self.path.len());
        self.path.extend_from_slice(name);
        self.path.push(b'.');
    }

    fn leave(&mut self) {
        if self.excess_scopes > 0 {
            self.excess_scopes -= 1;
        } else if let Some(length) = self.scopes.pop() {
            self.path.truncate(length);
        }
    }

    fn add_variable(
        &mut self,
        words: &[&[u8]],
        table: &mut SignalTable,
    ) -> Result<(), &'static str> {
        let [variable_type, size, code, reference, index @ ..] = words else {
            return Err("a variable without type, size, code or name");
        };
        let size = std::str::from_utf8(size)
            .ok()
            .and_then(|it| it.parse().ok());
        let bits: u32 = size.ok_or("the size of a variable is no number")?;
        if table.codes.contains_key(*code) {
            table.aliases += 1;
            return Ok(());
        }
        let signal_type = match *variable_type {
            b"real" | b"realtime" | b"real_parameter" | b"shortreal" => SignalType::Real,
            b"string" => SignalType::Text,
            b"event" => SignalType::Event,
            _ => match bits {
                0..=1 => SignalType::Digital,
                2..=64 => SignalType::Vector,
                _ => SignalType::WideVector,
            },
        };
        let name = [self.path.as_slice(), reference, &index.concat()].concat();
        if let Some(signal) = table.add(&name, signal_type, bits) {
            self.note_path();
            table.codes.insert((*code).into(), signal);
        }
        Ok(())
    }

    /// Notes that a variable is in the current scope.
    fn note_path(&mut self) {
        let path = &self.path;
        let common = self.common.get_or_insert_with(|| path.clone());
        let same = common
            .iter()
            .zip(path)
            .take_while(|(one, other)| one == other);
        let same = same.count();
        // Whole names only.
        let whole = common.get(..same).unwrap_or_default();
        let whole = whole.iter().rposition(|byte| *byte == b'.');
        common.truncate(whole.map_or(0, |dot| dot + 1));
    }

    /// The header ends: names lose the scopes that all have in common.
    fn finish(&mut self, table: &mut SignalTable) {
        self.is_complete = true;
        let common = self.common.take().unwrap_or_default();
        for signal in &mut table.all {
            if let Some(rest) = signal.name.strip_prefix(common.as_slice())
                && !rest.is_empty()
            {
                signal.name = rest.into();
            }
        }
        if let Some((_, scope)) = common.split_last() {
            table.set_property("scope", scope);
        }
    }
}

/// The ticks per second of a time scale such as `10ns`: `Some(None)` if they are below 1.
fn unit(text: &[u8]) -> Option<Option<Frequency>> {
    let digits = text.iter().take_while(|it| it.is_ascii_digit()).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = match number {
        [] => 1,
        number => std::str::from_utf8(number).ok()?.parse().ok()?,
    };
    let per_second: u64 = match unit {
        b"s" => 1,
        b"ms" => 1_000,
        b"us" => 1_000_000,
        b"ns" => 1_000_000_000,
        b"ps" => 1_000_000_000_000,
        b"fs" => 1_000_000_000_000_000,
        _ => return None,
    };
    (number > 0).then(|| {
        let hertz = per_second
            .is_multiple_of(number)
            .then(|| per_second / number);
        hertz.and_then(Frequency::from_hertz)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_scales_are_units() {
        let hertz = |text: &[u8]| unit(text).map(|it| it.map(Frequency::hertz));
        assert_eq!(hertz(b"1ns"), Some(Some(1_000_000_000)));
        assert_eq!(hertz(b"100us"), Some(Some(10_000)));
        assert_eq!(hertz(b"ps"), Some(Some(1_000_000_000_000)));
        assert_eq!(hertz(b"10s"), Some(None));
        assert_eq!(hertz(b"1 ns"), None);
        assert_eq!(hertz(b"0ns"), None);
    }

    #[test]
    fn names_lose_common_scopes() {
        let mut table = SignalTable::default();
        let mut header = VcdHeader::default();
        for command in [
            "$scope module top $end",
            "$scope module cpu $end",
            "$var wire 1 ! isr $end",
            "$upscope $end",
            "$scope module cpu2 $end",
            "$var wire 8 a data [7:0] $end",
            "$var wire 1 ! same $end",
            "$upscope $end",
            "$upscope $end",
            "$enddefinitions $end",
        ] {
            let words: Vec<_> = command.split(' ').map(str::as_bytes).collect();
            let [keyword, words @ .., _] = words.as_slice() else {
                panic!("{command}");
            };
            header.read(keyword, words, &mut table).unwrap();
        }
        let names: Vec<_> = table.all.iter().map(|it| &*it.name).collect();
        assert_eq!(names, [&b"cpu.isr"[..], b"cpu2.data[7:0]"]);
        assert_eq!(table.aliases, 1);
        assert!(header.is_complete);
    }
}
