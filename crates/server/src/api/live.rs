//! The requests about traces that are still recorded.

use super::{find, json, parameters};
use crate::connection::{Connection, Phase};
use crate::live::{LiveTrace, Poll};
use crate::refusal::Refusal;
use crate::state::State;
use crate::traces::Open;
use crate::work::Kind;
use axum::Extension;
use axum::Router;
use axum::extract::{Path, State as Shared};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::{get, post};
use rtoscope_session::answer::LiveStatus;
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<State>> {
    Router::new()
        .route("/api/traces/{id}/live", get(poll))
        .route("/api/traces/{id}/live/pause", post(pause))
        .route("/api/traces/{id}/live/older", post(older))
}

async fn poll(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    connection: Option<Extension<Connection>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let trace = live(&state, &id)?;
    let poll = Poll {
        after: parameters::number(&uri, "after")?.unwrap_or_default(),
        hold: parameters::number(&uri, "hold")?,
        seen: parameters::number(&uri, "seen")?,
    };
    let _room = state.work.waiting()?;
    let _waiting = connection.map(|connection| connection.begin(Phase::Waiting));
    let status = trace.poll(poll, state.ending.subscribe()).await;
    Ok(json(&status))
}

async fn pause(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let trace = live(&state, &id)?;
    hold(&state, move || trace.pause()).await
}

async fn older(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let trace = live(&state, &id)?;
    let before = parameters::number(&uri, "before")?.ok_or_else(|| {
        let sentence = "before is missing, expected the number of an event";
        Refusal::new(StatusCode::BAD_REQUEST, sentence)
    })?;
    hold(&state, move || trace.older(before)).await
}

async fn hold(
    state: &State,
    make: impl FnOnce() -> Result<LiveStatus, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    let turn = state.work.turn(Kind::Edition).await?;
    Ok(json(&turn.run(make).await??))
}

fn live(state: &State, id: &str) -> Result<Arc<LiveTrace>, Refusal> {
    match find(state, id)? {
        Open::Live(trace) => Ok(trace),
        Open::Whole(_) => {
            let sentence = format!("trace {id} is not live");
            Err(Refusal::new(StatusCode::NOT_FOUND, sentence))
        }
    }
}
