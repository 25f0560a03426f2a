//! Reads request bodies with limits on size and time.

use crate::error::ApiError;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt as _;
use hyper::body::Body as _;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout, timeout_at};

/// Time allowed for any body.
const BASE_TIMEOUT: Duration = Duration::from_secs(30);
/// Minimum transfer rate beyond that.
const MIN_BYTES_PER_SECOND: u64 = 16 << 10;
/// How long an unwanted body is read, so that the client gets to read the error.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(5);

/// Bytes of each body outside the [`MemoryBudget`]: ordinary queries and commands pass
/// even if others exhaust it.
const UNBUDGETED_BYTES: usize = 64 << 10;
/// Granularity of the budget.
const BYTES_PER_PERMIT: usize = 1 << 10;

/// Memory for bodies being received.
pub(crate) struct MemoryBudget(Arc<Semaphore>);

/// A body and its share of the budget.
pub(crate) struct ReceivedBody {
    bytes: Vec<u8>,
    permits: Option<OwnedSemaphorePermit>,
}

impl MemoryBudget {
    pub(crate) fn new(bytes: u64) -> Self {
        let pieces = usize::try_from(bytes / BYTES_PER_PERMIT as u64).unwrap_or(usize::MAX);
        Self(Arc::new(Semaphore::new(pieces.min(Semaphore::MAX_PERMITS))))
    }
}

impl ReceivedBody {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Parses the body as JSON, which takes a while for a large body; call it outside
    /// the async threads.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        serde_json::from_slice(&self.bytes)
            .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, error.to_string()))
    }

    /// Reserves more memory for a body; fails if the budget is exhausted.
    fn grow(&mut self, more: usize, budget: &MemoryBudget) -> bool {
        let held = self
            .permits
            .as_ref()
            .map_or(0, OwnedSemaphorePermit::num_permits);
        let length = self.bytes.len() + more;
        let needed = length
            .saturating_sub(UNBUDGETED_BYTES)
            .div_ceil(BYTES_PER_PERMIT);
        let missing = needed.saturating_sub(held);
        if missing > 0 {
            let Ok(missing) = u32::try_from(missing) else {
                return false;
            };
            let Ok(permit) = Arc::clone(&budget.0).try_acquire_many_owned(missing) else {
                return false;
            };
            match &mut self.permits {
                Some(share) => share.merge(permit),
                None => self.permits = Some(permit),
            }
        }
        self.bytes.try_reserve(more).is_ok()
    }
}

/// Reads the whole body. No more than its announced length arrives, at most `limit` bytes.
pub(crate) async fn read(
    mut body: Body,
    limit: u64,
    budget: &MemoryBudget,
) -> Result<ReceivedBody, ApiError> {
    let began = Instant::now();
    let mut received = ReceivedBody {
        bytes: Vec::new(),
        permits: None,
    };
    if body.size_hint().lower() > limit {
        discard(body).await;
        let message = format!("the request is larger than {limit} bytes");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    loop {
        let length = received.bytes.len() as u64;
        let earned = Duration::from_secs(length / MIN_BYTES_PER_SECOND);
        let data = match timeout_at(began + BASE_TIMEOUT + earned, next(&mut body)).await {
            Ok(Some(Ok(data))) => data,
            Ok(None) => return Ok(received),
            Ok(Some(Err(_))) => {
                let message = "the request ended too early";
                return Err(ApiError::new(StatusCode::BAD_REQUEST, message));
            }
            Err(_) => {
                let message = "the request came too slowly";
                return Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, message));
            }
        };
        if !received.grow(data.len(), budget) {
            drop(received);
            discard(body).await;
            let message = "not enough memory while other requests are received; try again";
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        received.bytes.extend_from_slice(&data);
    }
}

/// Reads and discards a body, for a limited time.
pub(crate) async fn discard(mut body: Body) {
    let all = async { while let Some(Ok(_)) = next(&mut body).await {} };
    let _ = timeout(DISCARD_TIMEOUT, all).await;
}

/// Rejects a request whose content type is not JSON: a form on another page cannot send
/// JSON.
pub(crate) fn expect_json(headers: &HeaderMap) -> Result<(), ApiError> {
    if is_json(headers) {
        return Ok(());
    }
    let message = "expected content-type: application/json";
    Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE);
    let text = value.and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = text.split(';').next().unwrap_or("").trim();
    essence.eq_ignore_ascii_case("application/json")
}

async fn next(body: &mut Body) -> Option<Result<Bytes, axum::Error>> {
    loop {
        match body.frame().await? {
            Ok(frame) => {
                if let Ok(data) = frame.into_data() {
                    return Some(Ok(data));
                }
            }
            Err(error) => return Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::response::IntoResponse as _;
    use hyper::body::{Frame, SizeHint};
    use std::convert::Infallible;
    use std::future::Future as _;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use tokio::time::{Sleep, sleep};

    /// Sends some bytes after each pause.
    struct SlowBody {
        bytes: usize,
        pause: Duration,
        left: usize,
        waiting: Pin<Box<Sleep>>,
    }

    impl SlowBody {
        fn body(bytes: usize, pause: Duration, left: usize) -> Body {
            let waiting = Box::pin(sleep(pause));
            Body::new(Self {
                bytes,
                pause,
                left,
                waiting,
            })
        }
    }

    impl hyper::body::Body for SlowBody {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            if self.left == 0 {
                return Poll::Ready(None);
            }
            self.waiting.as_mut().poll(context).map(|()| {
                self.left -= 1;
                let next = Instant::now() + self.pause;
                self.waiting.as_mut().reset(next);
                Some(Ok(Frame::data(vec![b'x'; self.bytes].into())))
            })
        }

        fn size_hint(&self) -> SizeHint {
            SizeHint::with_exact((self.bytes * self.left) as u64)
        }
    }

    fn status(outcome: Result<ReceivedBody, ApiError>) -> StatusCode {
        outcome.err().unwrap().into_response().status()
    }

    #[tokio::test(start_paused = true)]
    async fn stalled_bodies_time_out() {
        let second = Duration::from_secs(1);
        let slow = SlowBody::body(1, second, 1 << 20);
        let began = Instant::now();
        assert_eq!(
            status(read(slow, 1 << 20, &large_budget()).await),
            StatusCode::REQUEST_TIMEOUT
        );
        assert!(began.elapsed() < 2 * BASE_TIMEOUT);
        let steady = SlowBody::body(20 << 10, second, 100);
        assert_eq!(
            read(steady, 10 << 20, &large_budget())
                .await
                .unwrap()
                .bytes()
                .len(),
            100 * (20 << 10)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn oversized_bodies_are_rejected() {
        let exact = || Body::from(vec![0; 1000]);
        assert_eq!(
            read(exact(), 1000, &large_budget())
                .await
                .unwrap()
                .bytes()
                .len(),
            1000
        );
        assert_eq!(
            status(read(exact(), 999, &large_budget()).await),
            StatusCode::PAYLOAD_TOO_LARGE
        );
        let slow = SlowBody::body(1000, Duration::from_secs(1), 1_000_000);
        assert_eq!(
            status(read(slow, 999, &large_budget()).await),
            StatusCode::PAYLOAD_TOO_LARGE
        );
    }

    fn large_budget() -> MemoryBudget {
        MemoryBudget::new(64 << 20)
    }

    #[tokio::test(start_paused = true)]
    async fn small_bodies_pass_a_full_budget() {
        let budget = MemoryBudget::new(1 << 20);
        let large = Body::from(vec![0; UNBUDGETED_BYTES + (1 << 20)]);
        let large = read(large, 4 << 20, &budget).await.unwrap();
        let small = || Body::from(vec![0; UNBUDGETED_BYTES]);
        assert!(read(small(), 4 << 20, &budget).await.is_ok());
        let larger = || Body::from(vec![0; UNBUDGETED_BYTES + 1]);
        assert_eq!(
            status(read(larger(), 4 << 20, &budget).await),
            StatusCode::SERVICE_UNAVAILABLE
        );
        drop(large);
        assert!(read(larger(), 4 << 20, &budget).await.is_ok());
    }
}
