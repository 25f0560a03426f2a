//! Reading the body of a request: so many bytes, and not for ever.

use crate::refusal::Refusal;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use hyper::body::Body as _;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// A body may take so long, and longer the more has come.
const GRACE: Duration = Duration::from_secs(30);
/// The bytes that have to come in each second on top of that.
const SLOWEST: u64 = 16 << 10;
/// How long a body that nobody wants is read, so that the client comes to
/// reading why.
const LINGER: Duration = Duration::from_secs(5);

/// All bytes of the body, of which there may be `limit`.
pub(crate) async fn read(mut body: Body, limit: u64) -> Result<Vec<u8>, Refusal> {
    let began = Instant::now();
    let announced = body.size_hint().lower();
    let mut bytes = Vec::new();
    let mut fits = announced <= limit && reserve(&mut bytes, announced);
    while fits {
        let earned = Duration::from_secs(bytes.len() as u64 / SLOWEST);
        let data = match timeout_at(began + GRACE + earned, next(&mut body)).await {
            Ok(Some(Ok(data))) => data,
            Ok(None) => return Ok(bytes),
            Ok(Some(Err(_))) => {
                let sentence = "the request ended too early";
                return Err(Refusal::new(StatusCode::BAD_REQUEST, sentence));
            }
            Err(_) => {
                let sentence = "the request came too slowly";
                return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, sentence));
            }
        };
        let length = data.len() as u64;
        fits = bytes.len() as u64 + length <= limit && reserve(&mut bytes, length);
        if fits {
            bytes.extend_from_slice(&data);
        }
    }
    drop(bytes);
    discard(body).await;
    let sentence = format!("this is larger than {limit} bytes, or than the memory that is free");
    Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence))
}

/// Reads what nobody wants, for a while.
pub(crate) async fn discard(mut body: Body) {
    let all = async { while let Some(Ok(_)) = next(&mut body).await {} };
    let _ = timeout(LINGER, all).await;
}

/// A body of JSON. Its content type has to say so: a form on another page
/// cannot send that.
pub(crate) async fn json<T: DeserializeOwned>(
    request: Request<Body>,
    limit: u64,
) -> Result<T, Refusal> {
    if !says_json(request.headers()) {
        let sentence = "expected content-type: application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }
    let bytes = read(request.into_body(), limit).await?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, error.to_string()))
}

fn says_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE);
    let text = value.and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = text.split(';').next().unwrap_or("").trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// Room for so many more bytes.
fn reserve(bytes: &mut Vec<u8>, more: u64) -> bool {
    usize::try_from(more).is_ok_and(|more| bytes.try_reserve(more).is_ok())
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
    use hyper::body::Frame;
    use std::convert::Infallible;
    use std::future::Future as _;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use tokio::time::{Sleep, sleep};

    /// Sends some bytes after each pause.
    struct Dripping {
        bytes: usize,
        pause: Duration,
        left: usize,
        waiting: Pin<Box<Sleep>>,
    }

    impl Dripping {
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

    impl hyper::body::Body for Dripping {
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
    }

    fn status(outcome: Result<Vec<u8>, Refusal>) -> StatusCode {
        outcome.unwrap_err().into_response().status()
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_has_to_go_on() {
        let second = Duration::from_secs(1);
        let slow = Dripping::body(1, second, usize::MAX);
        let began = Instant::now();
        assert_eq!(
            status(read(slow, 1 << 20).await),
            StatusCode::REQUEST_TIMEOUT
        );
        assert!(began.elapsed() < 2 * GRACE);
        let steady = Dripping::body(20 << 10, second, 100);
        assert_eq!(
            read(steady, 10 << 20).await.unwrap().len(),
            100 * (20 << 10)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_has_a_limit() {
        let exact = || Body::from(vec![0; 1000]);
        assert_eq!(read(exact(), 1000).await.unwrap().len(), 1000);
        assert_eq!(
            status(read(exact(), 999).await),
            StatusCode::PAYLOAD_TOO_LARGE
        );
        let unannounced = Dripping::body(100, Duration::ZERO, 1_000_000);
        assert_eq!(
            status(read(unannounced, 999).await),
            StatusCode::PAYLOAD_TOO_LARGE
        );
        let endless = Dripping::body(1000, Duration::from_secs(1), usize::MAX);
        assert_eq!(
            status(read(endless, 999).await),
            StatusCode::PAYLOAD_TOO_LARGE
        );
    }
}
