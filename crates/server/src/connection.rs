//! Connections: how many, and how long a client may take.

mod patient;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use patient::Patient;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Connections at the same time; others wait until one ends.
const MOST_CONNECTIONS: usize = 256;
/// A client has sent the head of its next request after this time.
const HEAD: Duration = Duration::from_secs(30);
/// A client that takes no byte of an answer for this time is left.
const STALLED: Duration = Duration::from_secs(30);
/// Bytes of the head of a request.
const LARGEST_HEAD: usize = 64 << 10;
const MOST_HEADERS: usize = 64;
/// How long answers that were begun may take at the end.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long to wait where the system has no room for another connection.
const OVERLOADED: Duration = Duration::from_millis(100);

/// Answers whoever connects, until the end.
pub(crate) async fn accept(
    listener: &TcpListener,
    router: &Router,
    ended: impl Future<Output = ()>,
) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut ended = pin!(ended);
    loop {
        let stream = tokio::select! {
            biased;
            () = &mut ended => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(_) => {
                    sleep(OVERLOADED).await;
                    continue;
                }
            },
        };
        let permit = tokio::select! {
            biased;
            () = &mut ended => break,
            permit = Arc::clone(&room).acquire_owned() => permit,
        };
        let connection = graceful.watch(serve(stream, router.clone()));
        tokio::spawn(async move {
            // A client that goes away is no fault.
            let _ = connection.await;
            drop(permit);
        });
    }
    let _ = timeout(FAREWELL, graceful.shutdown()).await;
}

fn serve(
    stream: TcpStream,
    router: Router,
) -> http1::Connection<TokioIo<Patient<TcpStream>>, TowerToHyperService<Router>> {
    let _ = stream.set_nodelay(true);
    let stream = TokioIo::new(Patient::new(stream, STALLED));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_headers(MOST_HEADERS)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(stream, TowerToHyperService::new(router))
}
