//! Routes and handlers of the HTTP API.

mod live;
mod parameters;
mod recent;
mod sql;

use crate::complete_trace::{LoadedSession, TraceOpener};
use crate::connection::{ConnectionHandle, ConnectionPhase};
use crate::error::ApiError;
use crate::live::LiveTrace;
use crate::state::ServerState;
use crate::traces::{TraceEntry, TraceListEntry};
use crate::work::{self, WorkKind};
use crate::{assets, body};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::http::{Request, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodedRecording, UnpackedInput};
use rtoscope_session::response::OpeningProgress;
use rtoscope_session::{Command, Query, QueryResponse, Session};
use rtoscope_trace::Progress;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;

/// Maximum size of a query in bytes.
const MAX_QUERY_BYTES: u64 = 8 << 20;
/// Maximum size of a command in bytes: two notes of 4096 bytes, all escaped.
const MAX_COMMAND_BYTES: u64 = 64 << 10;
/// Maximum length of a trace's name in characters.
const MAX_NAME_CHARS: usize = 255;

pub(crate) fn routes() -> Router<Arc<ServerState>> {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/api/traces", get(list).post(upload))
        .route("/api/traces/{id}", delete(close))
        .route("/api/traces/{id}/progress", get(progress))
        .route("/api/traces/{id}/query", post(query))
        .route("/api/traces/{id}/command", post(command))
        .route("/api/traces/{id}/sql", post(sql::sql))
        .merge(live::routes())
        .merge(recent::routes())
        .method_not_allowed_fallback(not_allowed)
        .fallback(assets::serve)
}

async fn healthz(Shared(state): Shared<Arc<ServerState>>) -> Response {
    let commands = state.commands.load(Ordering::Relaxed).to_string();
    let headers = [
        ("rtoscope-instance", state.instance.clone()),
        ("rtoscope-commands", commands),
    ];
    (headers, "ok\n").into_response()
}

async fn list(Shared(state): Shared<Arc<ServerState>>) -> Response {
    json(&state.traces.list())
}

async fn upload(
    Shared(state): Shared<Arc<ServerState>>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    let name = upload_name(&request);
    if let Err(full) = state.traces.has_room() {
        body::discard(request.into_body()).await;
        return Err(full.into());
    }
    let received = read_body(request, state.max_upload, &state.upload_budget).await?;
    let permit = state.work.acquire(WorkKind::Upload).await?;
    let (decoded, listed) = oneshot::channel();
    tokio::spawn(permit.run(move || {
        let bytes = received.bytes();
        match open(&state, name, bytes) {
            Ok((listed, recording, opener)) => {
                drop(received);
                // Whoever uploaded it may be gone.
                let _ = decoded.send(Ok(listed));
                analyze(&state, recording, opener);
            }
            Err(error) => {
                let _ = decoded.send(Err(error));
            }
        }
    }));
    let listed = listed.await.map_err(|_| work::internal_error())?;
    Ok(json(&listed?))
}

/// Decodes an upload and lists it.
fn open(
    state: &ServerState,
    name: String,
    bytes: &[u8],
) -> Result<(TraceListEntry, DecodedRecording, TraceOpener), ApiError> {
    let decoded = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None)
        .and_then(|content| content.decode(&state.decode_options));
    let recording = decoded.map_err(|error| {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{name}: {error}"))
    })?;
    let file = state.sql.keep_upload(bytes);
    let (listed, opener) = state.traces.add_opening(name, file)?;
    Ok((listed, recording, opener))
}

fn analyze(state: &ServerState, recording: DecodedRecording, opener: TraceOpener) {
    let mut session = Session::with_progress(opener.name(), recording, opener.progress());
    session.note_given_clock(state.given_clock);
    opener.finish(session, None);
}

/// The progress of opening a trace; `null` if it is open.
async fn progress(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let snapshot = match find(&state, &id)? {
        TraceEntry::Complete(trace) => trace.progress().map(Progress::snapshot),
        TraceEntry::Live(_) => None,
    };
    Ok(json(&snapshot.map(OpeningProgress::from)))
}

async fn close(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    if let TraceEntry::Live(trace) = find(&state, &id)?
        && !trace.has_ended()
    {
        // Closing it would end it for all viewers, and it could not be reopened.
        let message = "this trace is still being recorded; it can be closed when it has ended";
        return Err(ApiError::new(StatusCode::CONFLICT, message));
    }
    let closed = parse_id(&id).filter(|id| state.traces.close(*id).is_some());
    let closed = closed.ok_or_else(|| unknown_trace(&id))?;
    state.sql_processes.close(closed);
    Ok(StatusCode::NO_CONTENT)
}

async fn query(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    let trace = find(&state, &id)?;
    let snapshot = snapshot_parameter(request.uri())?;
    body::expect_json(request.headers())?;
    let received = read_body(request, MAX_QUERY_BYTES, &state.body_budget).await?;
    // A request that waits for the opening holds no permit.
    let trace = opened(trace).await?;
    let permit = state.work.acquire(WorkKind::Query).await?;
    let response = permit.run(move || {
        let query: Query = received.parse()?;
        match trace {
            OpenTrace::Complete(session) => Ok(session.read().query(&query)?),
            OpenTrace::Live(trace) => trace.query(snapshot, &query),
        }
    });
    Ok(match response.await?? {
        QueryResponse::Json(text) => {
            ([(header::CONTENT_TYPE, "application/json")], text).into_response()
        }
        QueryResponse::Lanes(bytes) => bytes.into_response(),
    })
}

async fn command(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
    request: Request<Body>,
) -> Result<StatusCode, ApiError> {
    let trace = find(&state, &id)?;
    body::expect_json(request.headers())?;
    let received = read_body(request, MAX_COMMAND_BYTES, &state.body_budget).await?;
    let trace = opened(trace).await?;
    let permit = state.work.acquire(WorkKind::Command).await?;
    let result = permit.run(move || {
        let command: Command = received.parse()?;
        match trace {
            OpenTrace::Complete(session) => apply_command(&session, command),
            OpenTrace::Live(trace) => trace.apply(command),
        }
    });
    let result = result.await?;
    // Notes that could not be saved have changed, too.
    state.commands.fetch_add(1, Ordering::Relaxed);
    result?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reads the body of a request. It holds no work permit meanwhile, so clients that send
/// slowly do not delay others.
async fn read_body(
    request: Request<Body>,
    limit: u64,
    budget: &body::MemoryBudget,
) -> Result<body::ReceivedBody, ApiError> {
    let connection = request.extensions().get::<ConnectionHandle>();
    let _receiving =
        connection.map(|connection| connection.begin_phase(ConnectionPhase::Receiving));
    body::read(request.into_body(), limit, budget).await
}

/// A trace that can be queried.
enum OpenTrace {
    Complete(Arc<LoadedSession>),
    Live(Arc<LiveTrace>),
}

/// Waits until a trace is open.
async fn opened(trace: TraceEntry) -> Result<OpenTrace, ApiError> {
    Ok(match trace {
        TraceEntry::Complete(trace) => OpenTrace::Complete(trace.session().await?),
        TraceEntry::Live(trace) => OpenTrace::Live(trace),
    })
}

fn apply_command(session: &LoadedSession, command: Command) -> Result<(), ApiError> {
    let notes = session.notes();
    session.write().apply(command)?;
    let Some(mut notes) = notes else {
        return Ok(());
    };
    notes.save(&session.read()).map_err(|error| {
        let message = format!("This is not saved and lasts until rtoscope ends: {error}");
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    })
}

async fn not_allowed() -> ApiError {
    let message = "method not allowed";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// The number of a snapshot of a live trace, if given.
fn snapshot_parameter(uri: &Uri) -> Result<Option<u64>, ApiError> {
    parameters::number(uri, "snapshot")
}

fn find(state: &ServerState, id: &str) -> Result<TraceEntry, ApiError> {
    let trace = parse_id(id).and_then(|id| state.traces.get(id));
    trace.ok_or_else(|| unknown_trace(id))
}

fn parse_id(id: &str) -> Option<u64> {
    id.parse().ok()
}

fn unknown_trace(id: &str) -> ApiError {
    let message = format!("there is no open trace {id:?}");
    ApiError::new(StatusCode::NOT_FOUND, message)
}

/// The display name of an upload; never used as a file name.
fn upload_name(request: &Request<Body>) -> String {
    match parameters::text(request.uri(), "name") {
        Some(name) if !name.is_empty() => name.chars().take(MAX_NAME_CHARS).collect(),
        _ => "upload".to_owned(),
    }
}

fn json(response: &impl Serialize) -> Response {
    match serde_json::to_string(response) {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => {
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response()
        }
    }
}
