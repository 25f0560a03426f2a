//! The requests, and who answers them.

use crate::refusal::Refusal;
use crate::state::State;
use crate::traces::{Listed, OpenTrace};
use crate::work::Kind;
use crate::{assets, body};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::http::{Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use rtoscope_session::{Answer, Command, Query, Session};
use serde::Serialize;
use std::sync::Arc;

/// The bytes of a question.
const LARGEST_QUESTION: u64 = 1 << 20;
/// The bytes of a command: 10,000 bookmarks with notes of 4096 bytes and what
/// JSON adds to them.
const LARGEST_COMMAND: u64 = 64 << 20;
/// The characters of a name that are kept.
const LONGEST_NAME: usize = 255;

pub(crate) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/api/traces", get(list).post(upload))
        .route("/api/traces/{id}", delete(close))
        .route("/api/traces/{id}/ask", post(ask))
        .route("/api/traces/{id}/tell", post(tell))
        .method_not_allowed_fallback(not_allowed)
        .fallback(assets::serve)
}

async fn healthz() -> &'static str {
    "ok\n"
}

async fn list(Shared(state): Shared<Arc<State>>) -> Response {
    json(&state.traces.list())
}

async fn upload(
    Shared(state): Shared<Arc<State>>,
    request: Request<Body>,
) -> Result<Response, Refusal> {
    let name = name_of(&request);
    if let Err(full) = state.traces.has_room() {
        body::discard(request.into_body()).await;
        return Err(full.into());
    }
    let turn = state.work.turn(Kind::Upload).await?;
    let bytes = body::read(request.into_body(), state.max_upload).await?;
    let listed = turn.run(move || open(&state, &name, &bytes)).await??;
    Ok(json(&listed))
}

fn open(state: &State, name: &str, bytes: &[u8]) -> Result<Listed, Refusal> {
    let session = Session::open(name, bytes, &state.options).map_err(|error| {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, format!("{name}: {error}"))
    })?;
    Ok(state.traces.add(name.to_owned(), move || (session, None))?)
}

async fn close(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let closed = number(&id).and_then(|id| state.traces.close(id));
    closed
        .map(|_| StatusCode::NO_CONTENT)
        .ok_or_else(|| unknown(&id))
}

async fn ask(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    request: Request<Body>,
) -> Result<Response, Refusal> {
    let trace = find(&state, &id)?;
    let query: Query = body::json(request, LARGEST_QUESTION).await?;
    let turn = state.work.turn(Kind::Question).await?;
    Ok(match turn.run(move || trace.read().ask(&query)).await?? {
        Answer::Json(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Answer::Lanes(bytes) => bytes.into_response(),
    })
}

async fn tell(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    request: Request<Body>,
) -> Result<StatusCode, Refusal> {
    let trace = find(&state, &id)?;
    let turn = state.work.turn(Kind::Command).await?;
    let command: Command = body::json(request, LARGEST_COMMAND).await?;
    turn.run(move || change(&trace, command)).await??;
    Ok(StatusCode::NO_CONTENT)
}

fn change(trace: &OpenTrace, command: Command) -> Result<(), Refusal> {
    let notes = trace.notes();
    trace.write().tell(command)?;
    let Some(mut notes) = notes else {
        return Ok(());
    };
    notes.save(&trace.read()).map_err(|error| {
        let sentence = format!("This is not saved and ends with rtoscope: {error}");
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    })
}

async fn not_allowed() -> Refusal {
    let sentence = "this cannot be done here; the method of the request is wrong";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, sentence)
}

fn find(state: &State, id: &str) -> Result<Arc<OpenTrace>, Refusal> {
    let trace = number(id).and_then(|id| state.traces.get(id));
    trace.ok_or_else(|| unknown(id))
}

fn number(id: &str) -> Option<u64> {
    id.parse().ok()
}

fn unknown(id: &str) -> Refusal {
    let sentence = format!("there is no open trace {id:?}");
    Refusal::new(StatusCode::NOT_FOUND, sentence)
}

/// What people call an upload; never the name of a file here.
fn name_of(request: &Request<Body>) -> String {
    let query = request.uri().query().unwrap_or("");
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let name = pairs.find(|(key, _)| key == "name").map(|(_, value)| value);
    match name {
        Some(name) if !name.is_empty() => name.chars().take(LONGEST_NAME).collect(),
        _ => "upload".to_owned(),
    }
}

fn json(answer: &impl Serialize) -> Response {
    match serde_json::to_string(answer) {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => {
            Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response()
        }
    }
}
