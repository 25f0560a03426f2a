//! Long polling for updates of a live trace.

use super::live::{LiveState, LiveTrace};
use rtoscope_session::response::LiveStatus;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Maximum wait of a poll.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// Minimum interval between updates of the status alone.
const MIN_STATUS_WAIT: Duration = Duration::from_millis(100);

/// What a poll waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PollRequest {
    /// A snapshot newer than this.
    pub(crate) after: u64,
    /// The held snapshot that the viewer shows: no newer one is built for it.
    pub(crate) hold: Option<u64>,
    /// A status other than this version; by default other than the current one.
    pub(crate) version: Option<u64>,
}

impl LiveTrace {
    /// Waits for an update, up to the maximum wait or shutdown.
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
        // A viewer that does not switch to the newest snapshot, or passes a future
        // number, would otherwise poll in a busy loop.
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
