//! SQL queries.

use super::{find, json, parse_id, read_body};
use crate::body;
use crate::error::ApiError;
use crate::sql::ProcessKey;
use crate::state::ServerState;
use crate::traces::TraceEntry;
use crate::work::WorkKind;
use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::http::{Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;

/// Maximum size of a request in bytes. It fits into a pipe.
const MAX_REQUEST_BYTES: u64 = 48 << 10;

/// Why a live recording cannot be queried.
const LIVE: &str = "SQL needs a complete recording. Save this one with `rtoscope live --save FOLDER`, \
    and open the folder with `rtoscope view` when it has ended";

/// Passes a request on to the program for SQL. The answer is an object with one field;
/// `unavailable` is the reason why there is no SQL for this trace.
pub(super) async fn sql(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    let trace = find(&state, &id)?;
    body::expect_json(request.headers())?;
    let received = read_body(request, MAX_REQUEST_BYTES, &state.body_budget).await?;
    // Parsed and written again, it is a single line.
    let request: serde_json::Value = received.parse()?;
    let request = request.to_string().into_bytes();
    let TraceEntry::Complete(trace) = trace else {
        return Ok(unavailable(LIVE));
    };
    let mut command = match state.sql.find() {
        Ok(command) => command,
        Err(reason) => return Ok(unavailable(&reason)),
    };
    let session = trace.session().await?;
    let permit = state.work.acquire(WorkKind::Query).await?;
    let opened = permit.run(move || {
        let session = session.read();
        (session.frequency_hz(), session.part().events)
    });
    let (frequency_hz, events) = opened.await?;
    let file = trace.file();
    if let Err(reason) = file.add_to(&mut command, trace.name(), events as usize, frequency_hz) {
        return Ok(unavailable(&reason));
    }
    let key = ProcessKey {
        trace: parse_id(&id).unwrap_or_default(),
        frequency_hz,
    };
    let _permit = state.work.acquire(WorkKind::Sql).await?;
    let mut shutdown = state.shutdown.subscribe();
    let answer = tokio::select! {
        answer = state.sql_processes.request(key, command, request) => answer,
        _ = shutdown.wait_for(|ended| *ended) => Err("the viewer ends".to_owned()),
    };
    let answer = answer.map_err(|message| ApiError::new(StatusCode::BAD_GATEWAY, message))?;
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((kind, answer).into_response())
}

fn unavailable(reason: &str) -> Response {
    json(&serde_json::json!({ "unavailable": reason }))
}
