//! The requests, and who answers them.

mod live;
mod parameters;

use crate::connection::{Connection, Phase};
use crate::refusal::Refusal;
use crate::state::State;
use crate::traces::{Listed, Open, OpenTrace};
use crate::work::Kind;
use crate::{assets, body};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::http::{Request, StatusCode, Uri, header};
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
        .merge(live::routes())
        .method_not_allowed_fallback(not_allowed)
        .fallback(assets::serve)
}

async fn healthz(Shared(state): Shared<Arc<State>>) -> Response {
    ([("rtoscope-instance", state.instance.clone())], "ok\n").into_response()
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
    let received = receive(request, state.max_upload, &state.uploads).await?;
    let turn = state.work.turn(Kind::Upload).await?;
    let opened = turn.run(move || open(&state, &name, received.bytes()));
    let listed = opened.await??;
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
    if let Open::Live(trace) = find(&state, &id)?
        && !trace.has_ended()
    {
        // It would be gone for all who look, and nobody could open it again.
        let sentence = "this trace is still recorded; it can be closed when it has ended";
        return Err(Refusal::new(StatusCode::CONFLICT, sentence));
    }
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
    let edition = edition(request.uri())?;
    body::expect_json(request.headers())?;
    let received = receive(request, LARGEST_QUESTION, &state.bodies).await?;
    let turn = state.work.turn(Kind::Question).await?;
    let answer = turn.run(move || {
        let query: Query = received.parse()?;
        match trace {
            Open::Whole(trace) => Ok(trace.read().ask(&query)?),
            Open::Live(trace) => trace.ask(edition, &query),
        }
    });
    Ok(match answer.await?? {
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
    let edition = edition(request.uri())?;
    body::expect_json(request.headers())?;
    let received = receive(request, LARGEST_COMMAND, &state.bodies).await?;
    let turn = state.work.turn(Kind::Command).await?;
    let told = turn.run(move || {
        let command: Command = received.parse()?;
        match trace {
            Open::Whole(trace) => change(&trace, command),
            Open::Live(trace) => trace.tell(edition, command),
        }
    });
    told.await??;
    Ok(StatusCode::NO_CONTENT)
}

/// The body of a request. No turn is held while it comes, so that clients that
/// send slowly hold up no others.
async fn receive(
    request: Request<Body>,
    limit: u64,
    budget: &body::Budget,
) -> Result<body::Received, Refusal> {
    let connection = request.extensions().get::<Connection>();
    let _receiving = connection.map(|connection| connection.begin(Phase::Receiving));
    body::read(request.into_body(), limit, budget).await
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

/// Which edition of a live trace is meant, if that is said.
fn edition(uri: &Uri) -> Result<Option<u64>, Refusal> {
    parameters::number(uri, "edition")
}

fn find(state: &State, id: &str) -> Result<Open, Refusal> {
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
    match parameters::text(request.uri(), "name") {
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
