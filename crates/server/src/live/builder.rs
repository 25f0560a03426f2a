//! The thread that makes editions while somebody follows.

use super::audience::Interest;
use super::live::Shared;
use super::pace;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How long there is a rest behind looking at the status alone.
const STATUS_REST: Duration = Duration::from_millis(50);
/// How long the feed is waited for at once.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often leases are looked at while nobody looks.
const SWEEP: Duration = Duration::from_secs(1);
/// How long editions are kept that nobody looks at.
const FORGOTTEN: Duration = Duration::from_secs(60);

const FAULT: &str = "rtoscope failed to show it, which is a fault in it; standard error says more";

/// Makes editions until the trace is closed.
pub(super) fn run(shared: &Shared) {
    // The versions of the status that was seen last, and that an edition was
    // made of.
    let mut seen = None;
    let mut made = None;
    loop {
        let interest = shared.audience.await_somebody(SWEEP);
        let now = Instant::now();
        shared.editions().sweep(now);
        match interest {
            Interest::Over => return,
            Interest::Nobody(looked) => {
                let is_forgotten = |looked| now.saturating_duration_since(looked) > FORGOTTEN;
                if looked.is_some_and(is_forgotten) {
                    shared.unfollow();
                    made = None;
                }
                continue;
            }
            Interest::Status | Interest::Newest => {}
        }
        let has_news = interest == Interest::Newest && made != seen;
        let status = match seen.filter(|_| !has_news) {
            Some(version) => shared.feed.wait(version, PATIENCE),
            None => shared.feed.status(),
        };
        seen = Some(status.version);
        let mut rest = STATUS_REST;
        if interest == Interest::Newest && made != seen {
            made = seen;
            let began = Instant::now();
            shared.report(refresh(shared).err());
            rest = pace::rest(began.elapsed());
        }
        shared.publish(&status);
        if shared.audience.rest(rest) == Interest::Over {
            return;
        }
    }
}

fn refresh(shared: &Shared) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(|| shared.refresh())) {
        Ok(refreshed) => refreshed.map(drop),
        Err(_) => Err(FAULT.to_owned()),
    }
}
