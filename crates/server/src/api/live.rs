//! Requests on live traces.

use super::{find, json, parameters, read_body};
use crate::body;
use crate::connection::{ConnectionHandle, ConnectionPhase};
use crate::error::ApiError;
use crate::live::{LiveTrace, PollRequest};
use crate::state::ServerState;
use crate::traces::TraceEntry;
use crate::work::WorkKind;
use axum::Extension;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::http::{Request, StatusCode, Uri};
use axum::response::Response;
use axum::routing::{get, post};
use rtoscope_session::response::LiveStatus;
use serde::Deserialize;
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<ServerState>> {
    Router::new()
        .route("/api/traces/{id}/live", get(poll))
        .route("/api/traces/{id}/live/pause", post(pause))
        .route("/api/traces/{id}/live/older", post(older))
        .route("/api/traces/{id}/live/target", post(command_target))
}

async fn poll(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
    connection: Option<Extension<ConnectionHandle>>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let trace = find_live(&state, &id)?;
    let poll = PollRequest {
        after: parameters::number(&uri, "after")?.unwrap_or_default(),
        hold: parameters::number(&uri, "hold")?,
        version: parameters::number(&uri, "version")?,
    };
    let _room = state.work.acquire_poll()?;
    let _waiting = connection.map(|connection| connection.begin_phase(ConnectionPhase::Waiting));
    let status = trace.poll(poll, state.shutdown.subscribe()).await;
    Ok(json(&status))
}

async fn pause(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let trace = find_live(&state, &id)?;
    hold_snapshot(&state, move || trace.pause()).await
}

/// Commands for the target, as of `rtoscope live --target-filter` and `--target-command`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetRequest {
    /// Settings of the filter, such as `markers=off`.
    #[serde(default)]
    settings: Vec<String>,
    /// Names of commands, such as `start`.
    #[serde(default)]
    commands: Vec<String>,
}

/// Maximum size of a [`TargetRequest`] in bytes.
const MAX_TARGET_REQUEST_BYTES: u64 = 16 << 10;

async fn command_target(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
    request: Request<Body>,
) -> Result<StatusCode, ApiError> {
    let trace = find_live(&state, &id)?;
    body::expect_json(request.headers())?;
    let received = read_body(request, MAX_TARGET_REQUEST_BYTES, &state.body_budget).await?;
    let TargetRequest { settings, commands } = received.parse()?;
    let permit = state.work.acquire(WorkKind::Command).await?;
    let sent = permit.run(move || trace.command_target(&settings, &commands));
    sent.await??;
    Ok(StatusCode::NO_CONTENT)
}

async fn older(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let trace = find_live(&state, &id)?;
    let before = parameters::number(&uri, "before")?.ok_or_else(|| {
        let message = "before is missing, expected the number of an event";
        ApiError::new(StatusCode::BAD_REQUEST, message)
    })?;
    hold_snapshot(&state, move || trace.older(before)).await
}

async fn hold_snapshot(
    state: &ServerState,
    make: impl FnOnce() -> Result<LiveStatus, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let permit = state.work.acquire(WorkKind::Snapshot).await?;
    Ok(json(&permit.run(make).await??))
}

fn find_live(state: &ServerState, id: &str) -> Result<Arc<LiveTrace>, ApiError> {
    match find(state, id)? {
        TraceEntry::Live(trace) => Ok(trace),
        TraceEntry::Complete(_) => {
            let message = format!("trace {id} is not live");
            Err(ApiError::new(StatusCode::NOT_FOUND, message))
        }
    }
}
