//! The thread that makes editions while somebody follows.

use super::live::LiveState;
use super::snapshot_sizer;
use super::viewers::Interest;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How long there is a rest behind looking at the status alone.
const STATUS_INTERVAL: Duration = Duration::from_millis(50);
/// How long the feed is waited for at once.
const FEED_TIMEOUT: Duration = Duration::from_millis(200);
/// How often leases are looked at while nobody looks.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
/// How long editions are kept that nobody looks at.
const SNAPSHOT_RETENTION: Duration = Duration::from_secs(60);

const INTERNAL_ERROR: &str =
    "rtoscope failed to show it, which is a fault in it; standard error says more";

/// Makes editions until the trace is closed.
pub(super) fn run(shared: &LiveState) {
    // The versions of the status that was seen last, and that an edition was
    // made of.
    let mut seen = None;
    let mut made = None;
    loop {
        let interest = shared.viewers.wait_for_viewer(SWEEP_INTERVAL);
        let now = Instant::now();
        shared.snapshots().sweep(now);
        match interest {
            Interest::Closed => return,
            Interest::Absent(looked) => {
                let is_forgotten =
                    |looked| now.saturating_duration_since(looked) > SNAPSHOT_RETENTION;
                if looked.is_some_and(is_forgotten) {
                    shared.drop_followed();
                    made = None;
                }
                continue;
            }
            Interest::Status | Interest::NewestEvents => {}
        }
        let has_news = interest == Interest::NewestEvents && made != seen;
        let status = match seen.filter(|_| !has_news) {
            Some(version) => shared.feed.wait(version, FEED_TIMEOUT),
            None => shared.feed.status(),
        };
        seen = Some(status.version);
        let mut rest = STATUS_INTERVAL;
        if interest == Interest::NewestEvents && made != seen {
            made = seen;
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
