//! Canned queries: SQL files that are part of the program.

use super::SqlScript;

macro_rules! canned_queries {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!($folder, $name, ".sql")))),*]
    };
}

/// The name and the SQL of each query for any recordings.
const RECORDINGS: &[(&str, &str)] = canned_queries! { "":
    "cpu-by-thread"
    "cpu-over-time"
    "worst-wakeup"
    "wakeup-percentiles"
    "longest-ready"
    "running-while-ready"
    "unbounded-inversions"
    "recordings-with-unbounded-inversion"
    "mutex-hold-times"
    "longest-isr"
    "isr-load"
    "interrupts-off"
    "queue-high-water"
    "queue-full"
    "slow-message"
    "busiest-services"
    "service-rate"
    "lost-events"
    "state-residency"
    "slowest-steps"
    "signal-counts"
};

/// The same for recordings of many devices, which need tags.
const FLEET: &[(&str, &str)] = canned_queries! { "fleet/":
    "recordings-by-firmware"
    "worst-devices"
    "devices-with-unbounded-inversion"
    "findings-by-firmware"
    "new-findings"
    "latency-by-firmware"
    "firmware-regressions"
    "device-history"
};

/// The queries for what others cannot show, see [`SqlScript::undecided`]: they continue the
/// common table expressions of these up to [`END_OF_SHARED`].
const UNDECIDED: &[(&str, &str)] = canned_queries! { "fleet/undecided/":
    "firmware-regressions"
};

/// The comment after what a query shares with that for what it cannot show.
const END_OF_SHARED: &str = "  -- The query for what cannot be decided has these tables, too.\n";

/// The canned queries for any recordings.
pub fn for_recordings() -> impl Iterator<Item = SqlScript> {
    RECORDINGS.iter().map(parse)
}

/// The canned queries for recordings of many devices, which have [`SqlScript::tags`].
pub fn for_fleets() -> impl Iterator<Item = SqlScript> {
    FLEET.iter().map(parse)
}

fn parse((name, text): &(&'static str, &'static str)) -> SqlScript {
    let script = SqlScript::parse(name, text);
    let undecided = UNDECIDED.iter().find(|(of, _)| of == name);
    let undecided = undecided.and_then(|(_, text)| {
        let (shared, _) = script.sql.split_once(END_OF_SHARED)?;
        Some(format!("{shared}{}", SqlScript::parse(name, text).sql))
    });
    SqlScript {
        undecided,
        ..script
    }
}
