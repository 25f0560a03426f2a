//! The server, from binding to shutdown.

use crate::body::MemoryBudget;
use crate::guard::{HostName, RequestGuard, Token};
use crate::live::{LiveFeed, LiveTrace, LiveTraceOptions};
use crate::recent::RecentRecordings;
use crate::sql::{RecordingFile, SqlOptions};
use crate::state::ServerState;
use crate::traces::TooManyTraces;
use crate::work::WorkLimits;
use crate::{NotesFile, TraceOpener, api, connection, guard, headers};
use axum::Router;
use axum::middleware::from_fn_with_state;
use rtoscope_decode::DecodeOptions;
use rtoscope_session::Session;
use rtoscope_trace::Frequency;
use rtoscope_trace::clock::ClockSource;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;
use tokio::sync::watch;

/// Default maximum size of an upload in bytes.
pub const DEFAULT_MAX_UPLOAD: u64 = 1 << 30;

/// Maximum total size of queries and commands being received, in bytes.
const MAX_BODY_BYTES_IN_FLIGHT: u64 = 256 << 20;

/// Maximum time for running work after shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Options of a server.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// The address; port 0 for any free port.
    pub address: SocketAddr,
    /// The token that requests need. Generated if other machines can reach the address
    /// and none is given.
    pub token: Option<Token>,
    /// Names by which others reach this machine.
    pub hosts: Vec<HostName>,
    /// Maximum size of an upload in bytes.
    pub max_upload: u64,
    /// How uploads are decoded.
    pub decode_options: DecodeOptions,
    /// The clock of these options, if an option of uploads has one.
    pub given_clock: Option<(Frequency, ClockSource)>,
    /// How SQL queries are answered.
    pub sql: SqlOptions,
    /// Maximum number of connections.
    pub max_connections: usize,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            token: None,
            hosts: Vec::new(),
            max_upload: DEFAULT_MAX_UPLOAD,
            decode_options: DecodeOptions::default(),
            given_clock: None,
            sql: SqlOptions::default(),
            max_connections: connection::MAX_CONNECTIONS,
        }
    }
}

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// cannot listen on {address}
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
    /// cannot generate a token
    #[error("cannot generate a token: {0}")]
    Token(#[from] getrandom::Error),
    /// the system provides no threads, timers or signals for the server
    #[error("cannot run the server: {0}")]
    Run(#[from] io::Error),
    /// too many traces
    #[error(transparent)]
    TooManyTraces(#[from] TooManyTraces),
}

/// A bound server. Requests wait until it runs.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    state: Arc<ServerState>,
    max_connections: usize,
    url: String,
    stop: watch::Sender<bool>,
}

/// Stops a server from another thread.
#[derive(Debug)]
pub struct StopHandle(watch::Sender<bool>);

impl Server {
    /// Binds the port.
    ///
    /// # Errors
    ///
    /// If the address does not belong to this machine, or the port is in use.
    pub fn bind(settings: ServerOptions) -> Result<Self, ServerError> {
        let failed = |source| ServerError::Listen {
            address: settings.address,
            source,
        };
        let listener = TcpListener::bind(settings.address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let token = match settings.token {
            None if !guard::is_local(address.ip()) => Some(Token::random()?),
            given => given,
        };
        let url = url(address, &settings.hosts, token.as_ref());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let state = Arc::new(ServerState {
            traces: Arc::default(),
            work: WorkLimits::new(settings.max_connections),
            body_budget: MemoryBudget::new(MAX_BODY_BYTES_IN_FLIGHT),
            upload_budget: MemoryBudget::new(settings.max_upload.saturating_mul(2)),
            guard: RequestGuard::new(address, settings.hosts, token),
            max_upload: settings.max_upload,
            decode_options: settings.decode_options,
            given_clock: settings.given_clock,
            sql: settings.sql,
            sql_processes: Default::default(),
            recent: OnceLock::new(),
            instance: new_instance_id(),
            commands: Default::default(),
            shutdown: Default::default(),
        });
        Ok(Self {
            runtime,
            listener,
            state,
            max_connections: settings.max_connections,
            url,
            stop: watch::Sender::new(false),
        })
    }

    /// Adds a trace for all clients. Changes of its notes are saved if there is a notes
    /// file.
    ///
    /// # Errors
    ///
    /// If [`MAX_TRACES`](crate::MAX_TRACES) are open.
    pub fn add(&self, session: Session, notes: Option<NotesFile>) -> Result<(), TooManyTraces> {
        let name = session.name().to_owned();
        let reason = "SQL needs the file of a recording, and this trace has none";
        let file = RecordingFile::Unavailable(reason.to_owned());
        self.add_opening(name, file)?.finish(session, notes);
        Ok(())
    }

    /// Adds a trace that is being opened: the page shows the progress that the opener
    /// reports, and queries wait until it is finished. SQL queries read the file.
    ///
    /// # Errors
    ///
    /// If [`MAX_TRACES`](crate::MAX_TRACES) are open.
    pub fn add_opening(
        &self,
        name: String,
        file: RecordingFile,
    ) -> Result<TraceOpener, TooManyTraces> {
        let (_, opener) = self.state.traces.add_opening(name, file)?;
        Ok(opener)
    }

    /// Offers the recordings that were opened last on the start page. Only the first call
    /// has an effect.
    pub fn offer_recent(&self, recent: Arc<dyn RecentRecordings>) {
        let _ = self.state.recent.set(recent);
    }

    /// Adds a live trace. Its notes and clock last until the server ends.
    ///
    /// # Errors
    ///
    /// If [`MAX_TRACES`](crate::MAX_TRACES) are open, or the system cannot create a
    /// thread.
    pub fn add_live(
        &self,
        name: String,
        feed: impl LiveFeed,
        settings: LiveTraceOptions,
    ) -> Result<(), ServerError> {
        let trace = LiveTrace::start(name, Box::new(feed), settings)?;
        self.state.traces.add_live(trace)?;
        Ok(())
    }

    /// The address of the page, with the token if one is needed.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A handle that stops [`Server::run`].
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(self.stop.clone())
    }

    /// Serves until the user, the system or a [`StopHandle`] ends it; calls `ready` once
    /// it handles signals.
    ///
    /// # Errors
    ///
    /// If signals cannot be handled.
    pub fn run(self, ready: impl FnOnce(&str)) -> Result<(), ServerError> {
        let ended = {
            let _context = self.runtime.enter();
            shutdown_signal()?
        };
        ready(&self.url);
        let mut stop = self.stop.subscribe();
        self.run_until(async move {
            tokio::select! {
                () = ended => {}
                _ = stop.wait_for(|is_stopped| *is_stopped) => {}
            }
        })
    }

    /// Serves until `ended` completes, then finishes the requests in progress.
    ///
    /// # Errors
    ///
    /// If the system cannot wait for connections.
    pub fn run_until(self, ended: impl Future<Output = ()>) -> Result<(), ServerError> {
        let Self {
            runtime,
            listener,
            state,
            max_connections,
            ..
        } = self;
        let ending = state.shutdown.clone();
        let ended = async {
            ended.await;
            ending.send_replace(true);
        };
        let outcome = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            connection::accept(&listener, &router(state), max_connections, ended).await;
            Ok(())
        });
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        outcome
    }
}

impl StopHandle {
    /// Stops the server, also if it is about to run.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

fn router(state: Arc<ServerState>) -> Router {
    api::routes()
        .layer(from_fn_with_state(Arc::clone(&state), guard::check))
        .layer(axum::middleware::map_response(headers::add))
        .with_state(state)
}

/// Identifies the process and its start time.
fn new_instance_id() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos());
    format!("{:x}-{now:x}", std::process::id())
}

/// A URL that works on this machine, even if the server listens on all addresses.
fn url(address: SocketAddr, hosts: &[HostName], token: Option<&Token>) -> String {
    let mut shown = address;
    if shown.ip().is_unspecified() {
        shown.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    let authority = match hosts.first() {
        Some(host) => format!("{host}:{}", address.port()),
        None => shown.to_string(),
    };
    match token {
        Some(token) => format!("http://{authority}/?token={}", token.secret()),
        None => format!("http://{authority}/"),
    }
}

/// Completes on a signal that ends the program.
#[cfg(unix)]
fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    })
}

#[cfg(windows)]
fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
    let mut interrupt = ctrl_c()?;
    let mut terminate = ctrl_break()?;
    let mut close = ctrl_close()?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = close.recv() => {}
        }
    })
}
