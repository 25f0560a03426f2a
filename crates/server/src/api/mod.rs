//! Routes and handlers of the HTTP API.

mod live;
mod parameters;

use crate::connection::{ConnectionHandle, ConnectionPhase};
use crate::error::ApiError;
use crate::state::ServerState;
use crate::traces::{LazyTrace, TraceEntry, TraceListEntry};
use crate::work::WorkKind;
use crate::{assets, body};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::http::{Request, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use rtoscope_session::{Command, Query, QueryResponse, Session};
use serde::Serialize;
use std::sync::Arc;

/// Maximum size of a query in bytes.
const MAX_QUERY_BYTES: u64 = 1 << 20;
/// Maximum size of a command in bytes: 10,000 bookmarks with notes of 4096 bytes, plus
/// JSON overhead.
const MAX_COMMAND_BYTES: u64 = 64 << 20;
/// Maximum length of a trace's name in characters.
const MAX_NAME_CHARS: usize = 255;

pub(crate) fn routes() -> Router<Arc<ServerState>> {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/api/traces", get(list).post(upload))
        .route("/api/traces/{id}", delete(close))
        .route("/api/traces/{id}/query", post(query))
        .route("/api/traces/{id}/command", post(command))
        .merge(live::routes())
        .method_not_allowed_fallback(not_allowed)
        .fallback(assets::serve)
}

async fn healthz(Shared(state): Shared<Arc<ServerState>>) -> Response {
    ([("rtoscope-instance", state.instance.clone())], "ok\n").into_response()
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
    let opened = permit.run(move || open(&state, &name, received.bytes()));
    let listed = opened.await??;
    Ok(json(&listed))
}

fn open(state: &ServerState, name: &str, bytes: &[u8]) -> Result<TraceListEntry, ApiError> {
    let session = Session::open(name, bytes, &state.decode_options).map_err(|error| {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{name}: {error}"))
    })?;
    Ok(state.traces.add(name.to_owned(), move || (session, None))?)
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
    let closed = parse_id(&id).and_then(|id| state.traces.close(id));
    closed
        .map(|_| StatusCode::NO_CONTENT)
        .ok_or_else(|| unknown_trace(&id))
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
    let permit = state.work.acquire(WorkKind::Query).await?;
    let response = permit.run(move || {
        let query: Query = received.parse()?;
        match trace {
            TraceEntry::Complete(trace) => Ok(trace.read().query(&query)?),
            TraceEntry::Live(trace) => trace.query(snapshot, &query),
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
    let snapshot = snapshot_parameter(request.uri())?;
    body::expect_json(request.headers())?;
    let received = read_body(request, MAX_COMMAND_BYTES, &state.body_budget).await?;
    let permit = state.work.acquire(WorkKind::Command).await?;
    let result = permit.run(move || {
        let command: Command = received.parse()?;
        match trace {
            TraceEntry::Complete(trace) => apply_command(&trace, command),
            TraceEntry::Live(trace) => trace.apply(snapshot, command),
        }
    });
    result.await??;
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

fn apply_command(trace: &LazyTrace, command: Command) -> Result<(), ApiError> {
    let notes = trace.notes();
    trace.write().apply(command)?;
    let Some(mut notes) = notes else {
        return Ok(());
    };
    notes.save(&trace.read()).map_err(|error| {
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
