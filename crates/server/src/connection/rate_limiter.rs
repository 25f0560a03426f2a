//! Rate limit per connection while many connections are open.

use std::time::{Duration, Instant};

/// Long-term interval between requests of all connections without a delay: 4000
/// requests per second.
const REQUEST_INTERVAL: Duration = Duration::from_micros(250);
/// Maximum burst of requests of one connection.
const MAX_BURST: u32 = 20;
/// No request is delayed with up to this many open connections.
const FEW_CONNECTIONS: u32 = 64;
/// Additional delay per further connection; clients that send without a pause are
/// limited to 6250 requests per second in total.
const DELAY_PER_CONNECTION: Duration = Duration::from_micros(160);
/// Maximum delay, short enough for well-behaved clients.
const MAX_DELAY: Duration = Duration::from_millis(150);

/// Rate limit of a connection.
pub(super) struct RateLimiter {
    /// When all requests so far were due at regular intervals.
    due: Option<Instant>,
}

impl RateLimiter {
    pub(super) const fn new() -> Self {
        Self { due: None }
    }

    /// Delay of a request that arrives now, so that the other connections get their
    /// share.
    pub(super) fn delay(&mut self, now: Instant, open_connections: usize) -> Duration {
        let open = u32::try_from(open_connections).unwrap_or(u32::MAX);
        let interval = REQUEST_INTERVAL.saturating_mul(open);
        let due = self.due.map_or(now, |due| due.max(now));
        if due <= now + interval.saturating_mul(MAX_BURST - 1) {
            self.due = Some(due + interval);
            return Duration::ZERO;
        }
        let others = open.saturating_sub(FEW_CONNECTIONS);
        DELAY_PER_CONNECTION.saturating_mul(others).min(MAX_DELAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The delays of requests at intervals of `gap`, if none of them waits.
    fn delays(gap: Duration, open_connections: usize) -> Vec<Duration> {
        let (mut allowance, begin) = (RateLimiter::new(), Instant::now());
        let times = (0..200).map(|number| begin + gap * number);
        let delays = times.map(|now| allowance.delay(now, open_connections));
        delays.collect()
    }

    #[test]
    fn ordinary_clients_are_not_delayed() {
        assert_eq!(delays(1000 * REQUEST_INTERVAL, 1000), [Duration::ZERO; 200]);
        assert_eq!(delays(Duration::ZERO, 64), [Duration::ZERO; 200]);
        let burst = &delays(Duration::ZERO, 1000)[..MAX_BURST as usize];
        assert!(burst.iter().all(Duration::is_zero));
    }

    #[test]
    fn delay_grows_with_the_number_of_connections() {
        let last = |open| *delays(Duration::from_millis(1), open).last().unwrap();
        assert_eq!(last(74), 10 * DELAY_PER_CONNECTION);
        assert_eq!(last(500), 436 * DELAY_PER_CONNECTION);
        assert_eq!((last(1002), last(100_000)), (MAX_DELAY, MAX_DELAY));
    }

    #[test]
    fn pauses_restore_the_burst() {
        let (mut allowance, begin) = (RateLimiter::new(), Instant::now());
        let mut burst = |now| {
            let waits = (0..1000).map(|_| allowance.delay(now, 1000));
            waits.take_while(Duration::is_zero).count()
        };
        let interval = 1000 * REQUEST_INTERVAL;
        assert_eq!(burst(begin), 20);
        assert_eq!(burst(begin + 10 * interval), 10);
        assert_eq!(burst(begin + 1000 * interval), 20);
    }
}
