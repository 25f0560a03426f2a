//! Parts of the recordings for several processes.

use anyhow::{Context as _, ensure};
use md5::{Digest as _, Md5};
use std::str::FromStr;

/// A part of the recordings: those whose place has this remainder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 0.
    number: u64,
    count: u64,
}

impl Shard {
    /// Whether the recording of a place is in this part: on each machine the same.
    pub(crate) fn has(self, place: &str) -> bool {
        let sum = Md5::digest(place.as_bytes());
        let mut word = [0; 8];
        word.copy_from_slice(sum.get(..8).unwrap_or(&[0; 8]));
        u64::from_be_bytes(word) % self.count == self.number
    }
}

impl FromStr for Shard {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let expected = "expected a part such as 2/4";
        let (number, count) = text.split_once('/').context(expected)?;
        let (number, count): (u64, u64) = (
            number.parse().context(expected)?,
            count.parse().context(expected)?,
        );
        ensure!(
            number >= 1 && number <= count,
            "{expected}: the first number is 1 to {count}"
        );
        Ok(Self {
            number: number - 1,
            count,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_in_one_part() {
        let parts: Vec<Shard> = (1..=4)
            .map(|it| format!("{it}/4").parse().unwrap())
            .collect();
        let mut found = [0; 4];
        for number in 0..400 {
            let place = format!("file:///traces/{number}.trx");
            let having: Vec<_> = (0..4).filter(|it| parts[*it].has(&place)).collect();
            assert_eq!(having.len(), 1);
            found[having[0]] += 1;
        }
        assert!(
            found.iter().all(|count| (60..140).contains(count)),
            "{found:?}"
        );
    }

    #[test]
    fn wrong_parts_are_errors() {
        for text in ["", "1", "0/4", "5/4", "1/0", "a/b", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
