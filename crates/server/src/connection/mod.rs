//! Connections, their limits and timeouts.

mod rate_limiter;
mod registry;
mod write_timeout;

pub(crate) use registry::{ConnectionHandle, ConnectionPhase};

use crate::error::ApiError;
use axum::Router;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use hyper::body::Body as _;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rate_limiter::RateLimiter;
use registry::ConnectionRegistry;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use write_timeout::WriteTimeout;

/// Maximum number of connections. A new one replaces an idle one.
pub(crate) const MAX_CONNECTIONS: usize = 2048;
/// Maximum time for a client to send the head of its next request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum time without progress in sending a response.
const STALL_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum size of the head of a request in bytes.
const MAX_HEAD_BYTES: usize = 64 << 10;
const MAX_HEADERS: usize = 64;
/// Maximum time for responses in progress at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);
/// Delay before the next accept if the system has no resources for another connection.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// Serves connections until `ended` completes.
pub(crate) async fn accept(
    listener: &TcpListener,
    router: &Router,
    capacity: usize,
    ended: impl Future<Output = ()>,
) {
    let registry = Arc::new(ConnectionRegistry::new(capacity));
    let graceful = GracefulShutdown::new();
    let mut ended = pin!(ended);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut ended => break,
            accepted = accept_one(listener, &registry) => accepted,
        };
        let (stream, connection) = accepted;
        let serving = graceful.watch(serve(stream, router.clone(), connection.clone()));
        tokio::spawn(async move {
            let mut serving = pin!(serving);
            loop {
                tokio::select! {
                    biased;
                    // A disconnecting client is not an error.
                    _ = &mut serving => break,
                    () = connection.close_requested() => {
                        if connection.may_close() {
                            break;
                        }
                    }
                }
            }
        });
    }
    let _ = timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
}

/// Accepts the next connection as soon as there is a slot for it.
async fn accept_one(
    listener: &TcpListener,
    registry: &Arc<ConnectionRegistry>,
) -> (TcpStream, ConnectionHandle) {
    let stream = loop {
        match listener.accept().await {
            Ok((stream, _)) => break stream,
            Err(error) if is_client_error(&error) => {}
            Err(_) => {
                registry.shrink();
                let _ = timeout(ACCEPT_RETRY_INTERVAL, registry.changed()).await;
            }
        }
    };
    loop {
        if let Some(connection) = registry.admit() {
            return (stream, connection);
        }
        registry.changed().await;
    }
}

/// Whether only this client's connection failed, as opposed to a lack of files or
/// memory.
fn is_client_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionReset | Interrupted
    )
}

fn serve(
    stream: TcpStream,
    router: Router,
    connection: ConnectionHandle,
) -> http1::Connection<TokioIo<WriteTimeout<TcpStream>>, ConnectionService> {
    let _ = stream.set_nodelay(true);
    let stream = TokioIo::new(WriteTimeout::new(stream, STALL_TIMEOUT));
    let service = ConnectionService {
        router: TowerToHyperService::new(router),
        connection,
        rate_limiter: Mutex::new(RateLimiter::new()),
    };
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_headers(MAX_HEADERS)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(stream, service)
}

/// The size of a request's head. The HTTP library limits what it holds of a head that is not
/// complete yet; the end of a head that is larger may arrive together with its start.
fn head_bytes(request: &Request) -> usize {
    // Between a name and its value, and at the end of the line.
    const SEPARATOR_BYTES: usize = ": ".len() + "\r\n".len();
    let fields = request.headers().iter();
    let fields = fields.map(|(name, value)| name.as_str().len() + value.len() + SEPARATOR_BYTES);
    let target = request.uri().path_and_query();
    target.map_or(0, |target| target.as_str().len()) + fields.sum::<usize>()
}

/// Serves the requests of a connection and adds the connection's handle to them.
struct ConnectionService {
    router: TowerToHyperService<Router>,
    connection: ConnectionHandle,
    rate_limiter: Mutex<RateLimiter>,
}

impl ConnectionService {
    /// Delay of the current request.
    fn delay(&self) -> Duration {
        let open = self.connection.open_connections();
        let allowance = self.rate_limiter.lock();
        let mut allowance = allowance.unwrap_or_else(PoisonError::into_inner);
        allowance.delay(Instant::now(), open)
    }
}

type Request = hyper::Request<hyper::body::Incoming>;
type RouterService = TowerToHyperService<Router>;

impl Service<Request> for ConnectionService {
    type Response = <RouterService as Service<Request>>::Response;
    type Error = <RouterService as Service<Request>>::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn call(&self, mut request: Request) -> Self::Future {
        let connection = self.connection.clone();
        let (router, delay) = (self.router.clone(), self.delay());
        let is_head_too_large = head_bytes(&request) > MAX_HEAD_BYTES;
        let has_length = request.body().size_hint().exact().is_some();
        Box::pin(async move {
            if is_head_too_large {
                let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
                let message =
                    format!("the head of the request is larger than {MAX_HEAD_BYTES} bytes");
                return Ok(ApiError::new(status, message).into_response());
            }
            if !has_length {
                // A chunk may have any length, and never arrive.
                let message = "expected content-length";
                return Ok(ApiError::new(StatusCode::LENGTH_REQUIRED, message).into_response());
            }
            if !delay.is_zero() {
                let _waiting = connection.begin_phase(ConnectionPhase::Waiting);
                sleep(delay).await;
            }
            let _answering = connection.begin_phase(ConnectionPhase::Answering);
            request.extensions_mut().insert(connection.clone());
            router.call(request).await
        })
    }
}
