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
    "devices-with-unbounded-inversion"
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

/// The queries for what others cannot show, see [`SqlScript::undecided`].
const UNDECIDED: &[(&str, &str)] = canned_queries! { "fleet/undecided/":
    "firmware-regressions"
};

/// The canned queries for any recordings.
pub fn for_recordings() -> impl Iterator<Item = SqlScript> {
    RECORDINGS.iter().map(parse)
}

/// The canned queries for recordings of many devices, which have [`SqlScript::tags`].
pub fn for_fleets() -> impl Iterator<Item = SqlScript> {
    FLEET.iter().map(parse)
}

fn parse((name, text): &(&'static str, &'static str)) -> SqlScript {
    let mut undecided = UNDECIDED.iter();
    let undecided = undecided.find(|(of, _)| of == name);
    SqlScript {
        undecided: undecided.map(|(_, text)| SqlScript::parse(name, text).sql),
        ..SqlScript::parse(name, text)
    }
}
