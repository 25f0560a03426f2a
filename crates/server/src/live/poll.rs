//! Waiting for news of a live trace.

use super::live::{LiveState, LiveTrace};
use rtoscope_session::response::LiveStatus;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// How long somebody waits for news.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// How long it takes at least until somebody hears of a status alone.
const MIN_STATUS_WAIT: Duration = Duration::from_millis(100);

/// What somebody waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PollRequest {
    /// A newer edition than this.
    pub(crate) after: u64,
    /// While looking at this edition, which is held: no other is made.
    pub(crate) hold: Option<u64>,
    /// Another status than the one of this version; than the present one if it
    /// is not said.
    pub(crate) version: Option<u64>,
}

impl LiveTrace {
    /// Waits until there is news, for a while, or until the server ends.
    pub(crate) async fn poll(
        &self,
        poll: PollRequest,
        ending: watch::Receiver<bool>,
    ) -> LiveStatus {
        let shared = &self.shared;
        if let Some(held) = poll.hold {
            let now = std::time::Instant::now();
            shared.snapshots().renew(held, now);
        }
        {
            let _onlooker = shared.viewers.join(poll.hold.is_none());
            wait(shared, poll, ending).await;
        }
        let newest = shared.snapshots().newest().cloned();
        shared.status(newest.as_deref())
    }
}

async fn wait(shared: &LiveState, poll: PollRequest, mut ending: watch::Receiver<bool>) {
    let began = Instant::now();
    let mut latest = shared.latest.subscribe();
    let seen = match poll.version {
        Some(version) => version,
        None => shared.version(&shared.feed.status()),
    };
    loop {
        let now = *latest.borrow_and_update();
        let is_new = now.snapshot != 0 && now.snapshot != poll.after;
        // Somebody who does not go on to the newest edition, or knows one that
        // never was, would else ask without end.
        let follows = poll.hold.is_none() && poll.after < now.snapshot;
        let due = match (is_new && follows, is_new || now.version > seen) {
            (true, _) => return,
            (false, true) => began + MIN_STATUS_WAIT,
            (false, false) => began + MAX_WAIT,
        };
        tokio::select! {
            () = sleep_until(due) => return,
            _ = latest.changed() => {}
            _ = ending.wait_for(|is_ending| *is_ending) => return,
        }
    }
}
