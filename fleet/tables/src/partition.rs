//! The partitions of a recording.

use crate::schema::{BUCKET, DAY, TABLE};
use anyhow::{Context as _, bail};
use md5::{Digest as _, Md5};
use rtoscope_tables::Table;
use std::fmt;
use std::str::FromStr;

/// Number of hexadecimal digits of a bucket's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BucketDigits(usize);

impl BucketDigits {
    /// Up to 256 buckets.
    pub(crate) const MAX: usize = 2;

    pub(crate) fn new(digits: usize) -> anyhow::Result<Self> {
        if digits > Self::MAX {
            bail!("{digits} digits of a bucket; expected 0 to {}", Self::MAX);
        }
        Ok(Self(digits))
    }

    /// The bucket of a device. Any SQL engine computes it, as `substr(md5(device), 1, digits)`;
    /// without digits, there is one bucket.
    pub(crate) fn bucket(self, device: &str) -> String {
        if self.0 == 0 {
            return "all".to_owned();
        }
        let sum = Md5::digest(device.as_bytes());
        let digits: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        digits.chars().take(self.0).collect()
    }
}

impl fmt::Display for BucketDigits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for BucketDigits {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        Self::new(text.parse().with_context(|| format!("{text:?}"))?)
    }
}

/// A day, as `YYYY-MM-DD`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Day(String);

impl Day {
    /// The day of a date or a time in ISO 8601, such as `2026-03-01T12:00:00Z`.
    pub(crate) fn of(time: &str) -> anyhow::Result<Self> {
        let day = time.get(..10).unwrap_or(time);
        let date = chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d");
        let is_complete = time.len() == 10 || matches!(time.as_bytes().get(10), Some(b'T' | b' '));
        match date {
            Ok(date) if is_complete => Ok(Self(date.to_string())),
            _ => bail!(
                "{time:?} is no date; expected one such as 2026-03-01 or 2026-03-01T12:00:00Z"
            ),
        }
    }

    /// The current day in UTC.
    pub(crate) fn today() -> Self {
        Self(chrono::Utc::now().date_naive().to_string())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A partition of all tables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Partition {
    pub(crate) day: Day,
    pub(crate) bucket: String,
}

impl Partition {
    /// The values of the partition columns for a table.
    pub(crate) fn values(&self, table: Table) -> [(&'static str, String); 3] {
        [
            (TABLE, table.name().to_owned()),
            (DAY, self.day.to_string()),
            (BUCKET, self.bucket.clone()),
        ]
    }

    /// The folder of a table's files, below the root.
    pub(crate) fn folder(&self, table: Table) -> String {
        let values = self.values(table);
        let folders: Vec<_> = values
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        folders.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_dates_and_times() {
        for (time, day) in [
            ("2026-03-01", Some("2026-03-01")),
            ("2026-03-01T23:59:59.5+02:00", Some("2026-03-01")),
            ("2026-03-01 10:00", Some("2026-03-01")),
            ("2026-02-30", None),
            ("2026-03-011", None),
            ("01.03.2026", None),
            ("", None),
            ("2026-03-0\u{e4}", None),
        ] {
            assert_eq!(
                Day::of(time).ok().map(|it| it.to_string()).as_deref(),
                day,
                "{time}"
            );
        }
    }

    #[test]
    fn buckets_are_digits_of_the_md5_sum() {
        let bucket = |digits| BucketDigits::new(digits).map(|it| it.bucket("abc"));
        assert_eq!(bucket(0).unwrap(), "all");
        assert_eq!(bucket(1).unwrap(), "9");
        assert_eq!(bucket(2).unwrap(), "90");
        assert!(bucket(3).is_err());
        let partition = Partition {
            day: Day::of("2026-03-01").unwrap(),
            bucket: "9".to_owned(),
        };
        let folder = "table_name=events/day=2026-03-01/bucket=9";
        assert_eq!(partition.folder(Table::Events), folder);
    }
}
