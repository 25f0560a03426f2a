//! The thread that builds snapshots while viewers follow.

use super::live::LiveState;
use super::snapshot_sizer;
use super::viewers::Interest;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Pause after each update of the status alone.
const STATUS_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum time of one wait for the feed.
const FEED_TIMEOUT: Duration = Duration::from_millis(200);
/// Interval between lease checks while there are no viewers.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
/// How long snapshots without viewers are kept.
const SNAPSHOT_RETENTION: Duration = Duration::from_secs(60);

const INTERNAL_ERROR: &str = "internal error; see standard error";

/// Builds snapshots until the trace is closed.
pub(super) fn run(shared: &LiveState) {
    // The versions of the status last published, and last used for a snapshot.
    let mut seen = None;
    let mut built = None;
    loop {
        let interest = shared.viewers.wait_for_viewer(SWEEP_INTERVAL);
        let now = Instant::now();
        shared.snapshots().sweep(now);
        match interest {
            Interest::Closed => return,
            Interest::Absent(last_active) => {
                let is_forgotten =
                    |last_active| now.saturating_duration_since(last_active) > SNAPSHOT_RETENTION;
                if last_active.is_some_and(is_forgotten) {
                    shared.drop_followed();
                    built = None;
                }
                continue;
            }
            Interest::Status | Interest::NewestEvents => {}
        }
        let has_news = interest == Interest::NewestEvents && built != seen;
        let status = match seen.filter(|_| !has_news) {
            Some(version) => shared.feed.wait(version, FEED_TIMEOUT),
            None => shared.feed.status(),
        };
        seen = Some(status.version);
        let mut rest = STATUS_INTERVAL;
        if interest == Interest::NewestEvents && built != seen {
            built = seen;
            let began = Instant::now();
            shared.set_build_error(refresh(shared).err());
            rest = snapshot_sizer::pause_after(began.elapsed());
        }
        shared.publish(&status);
        if shared.viewers.wait_unless_closed(rest) == Interest::Closed {
            return;
        }
    }
}

fn refresh(shared: &LiveState) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(|| shared.refresh())) {
        Ok(refreshed) => refreshed.map(drop),
        Err(_) => Err(INTERNAL_ERROR.to_owned()),
    }
}
