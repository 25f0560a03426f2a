//! Records of applications and their unit tests.

use super::super::{ArgumentLayout, FilterLevel, Group, RecordSpec};
use super::arguments::{ARG, FULL_TE, GRP, LINE, TE, TEXT};
use super::spec;
use FilterLevel::{Group as Grouped, Never};
use Group::{Usr, Ut};

macro_rules! users {
    ($($number:literal)*) => {
        /// Since 2.3: the application's own events.
        pub(in super::super) const USR: &[RecordSpec] = &[
            $(spec(0xC0 + $number, Usr, stringify!($number), Grouped, &[]).with_layout(ArgumentLayout::Items),)*
        ];
    };
}

users!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);

/// Since 2.4.05. The host sends the last two to the target.
pub(in super::super) const UT: &[RecordSpec] = &[
    spec(0xE0, Ut, "INIT", Never, &[LINE]),
    spec(0xE1, Ut, "CLEANUP", Never, &[LINE]),
    spec(0xE2, Ut, "VERIFY", Never, &[LINE]),
    spec(0xE3, Ut, "IGNORE_GROUP", Never, &[LINE, GRP]),
    spec(0xE4, Ut, "EXPECT", Never, &[LINE, TE]).with_layout(ArgumentLayout::Expectation),
    spec(0xE5, Ut, "EXPECT_ANYARGS", Never, &[LINE, FULL_TE]),
    spec(0xE6, Ut, "IGNORE", Never, &[LINE, FULL_TE]),
    spec(0xE7, Ut, "IGNORE_ARG", Never, &[LINE, FULL_TE, ARG]),
    spec(0xE8, Ut, "SUCCESS", Never, &[LINE, TEXT]).without_header(),
    spec(0xE9, Ut, "FAIL", Never, &[LINE, TEXT]).without_header(),
];
