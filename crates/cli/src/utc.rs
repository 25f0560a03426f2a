//! UTC dates and times as text.

use rtoscope_decode::live::HostTime;
use std::fmt;

/// A point in UTC.
#[derive(Clone, Copy)]
pub(crate) struct Utc(pub(crate) HostTime);

const NANOSECONDS_PER_SECOND: u64 = 1_000_000_000;

/// Seconds per day.
const SECONDS_PER_DAY: u64 = 86400;

/// Days from a March 1st to the first days of the following months: with the leap
/// day at the end of the year, all years have the same layout.
const MONTH_STARTS: [(u64, u64); 12] = [
    (0, 3),
    (31, 4),
    (61, 5),
    (92, 6),
    (122, 7),
    (153, 8),
    (184, 9),
    (214, 10),
    (245, 11),
    (275, 12),
    (306, 1),
    (337, 2),
];

/// Days from March 1st of year 0 to January 1st 1970.
const DAYS_BEFORE_1970: u64 = 719_468;

impl Utc {
    /// RFC 3339 text with nanoseconds.
    pub(crate) fn to_exact_string(self) -> String {
        let Self(HostTime(time)) = self;
        let (date, time_of_day) = self.parts();
        format!("{date}T{time_of_day}.{:09}Z", time % NANOSECONDS_PER_SECOND)
    }

    fn parts(self) -> (String, String) {
        let seconds = self.0.0 / NANOSECONDS_PER_SECOND;
        let (year, month, day) = date(seconds / SECONDS_PER_DAY);
        let (hour, rest) = (seconds % SECONDS_PER_DAY / 3600, seconds % 3600);
        let (minute, second) = (rest / 60, rest % 60);
        (
            format!("{year:04}-{month:02}-{day:02}"),
            format!("{hour:02}:{minute:02}:{second:02}"),
        )
    }
}

/// Formats with milliseconds.
impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, time) = self.parts();
        let milliseconds = self.0.0 % NANOSECONDS_PER_SECOND / 1_000_000;
        write!(f, "{date} {time}.{milliseconds:03} UTC")
    }
}

/// Year, month and day of a day number since 1970.
fn date(day: u64) -> (u64, u64, u64) {
    const YEARS_400: u64 = 400 * 365 + 97;
    let day = day + DAYS_BEFORE_1970;
    let (cycle, day) = (day / YEARS_400, day % YEARS_400);
    // A year divisible by 4 is a leap year, unless it is divisible by 100 and not
    // by 400.
    let year = (day - day / 1460 + day / 36524 - day / (YEARS_400 - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let count = MONTH_STARTS.partition_point(|(start, _)| *start <= day);
    let (start, month) = MONTH_STARTS
        .get(count.saturating_sub(1))
        .copied()
        .unwrap_or_default();
    let year = 400 * cycle + year + u64::from(month < 3);
    (year, month, day - start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_match_the_calendar() {
        let shown =
            |seconds: u64| Utc(HostTime(seconds * NANOSECONDS_PER_SECOND + 1_234_567)).to_string();
        assert_eq!(shown(0), "1970-01-01 00:00:00.001 UTC");
        assert_eq!(shown(951_782_400), "2000-02-29 00:00:00.001 UTC");
        assert_eq!(shown(951_868_799), "2000-02-29 23:59:59.001 UTC");
        assert_eq!(shown(951_868_800), "2000-03-01 00:00:00.001 UTC");
        assert_eq!(shown(1_709_210_096), "2024-02-29 12:34:56.001 UTC");
        assert_eq!(shown(4_107_542_400), "2100-03-01 00:00:00.001 UTC");
        assert_eq!(shown(18_446_744_073), "2554-07-21 23:34:33.001 UTC");
        let exact = Utc(HostTime(1_709_210_096_000_000_789)).to_exact_string();
        assert_eq!(exact, "2024-02-29T12:34:56.000000789Z");
    }

    #[test]
    fn consecutive_days_have_consecutive_dates() {
        let (mut year, mut month, mut number) = (1970, 1, 1);
        for day in 0..213_000 {
            assert_eq!(date(day), (year, month, number), "day {day}");
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = match month {
                2 => 28 + u64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            number += 1;
            if number > days {
                (number, month) = (1, month + 1);
            }
            if month > 12 {
                (month, year) = (1, year + 1);
            }
        }
    }
}
