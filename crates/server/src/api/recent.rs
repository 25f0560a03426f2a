//! The recordings that were opened last.

use super::json;
use crate::error::ApiError;
use crate::recent::RecentListEntry;
use crate::state::ServerState;
use crate::work::{self, WorkKind};
use axum::Router;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use std::sync::Arc;
use tokio::sync::mpsc;

pub(super) fn routes() -> Router<Arc<ServerState>> {
    Router::new()
        .route("/api/recent", get(list).delete(clear))
        .route("/api/recent/{id}", post(open))
}

async fn list(Shared(state): Shared<Arc<ServerState>>) -> Result<Response, ApiError> {
    // Looks at files, which may be on a slow medium.
    let permit = state.work.acquire(WorkKind::Command).await?;
    let listed = permit.run(move || {
        let recent = state.recent.get().map(|recent| recent.list());
        let recent = recent.unwrap_or_default();
        recent.iter().map(RecentListEntry::from).collect::<Vec<_>>()
    });
    Ok(json(&listed.await?))
}

async fn open(
    Shared(state): Shared<Arc<ServerState>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let permit = state.work.acquire(WorkKind::Upload).await?;
    let unknown = || {
        let message = "this recording is no longer in the list";
        ApiError::new(StatusCode::NOT_FOUND, message)
    };
    let recent = state.recent.get().cloned().ok_or_else(unknown)?;
    let recordings = recent.list();
    let recording = recordings.into_iter().find(|one| one.id() == id);
    let recording = recording.ok_or_else(unknown)?;
    let file = recent.file(&recording.path);
    let (listed, opener) = state.traces.add_opening(recording.name(), file)?;
    let (sender, mut detected) = mpsc::unbounded_channel();
    tokio::spawn(permit.run(move || {
        let on_detected = || {
            let _ = sender.send(Ok(()));
        };
        let opened = recent.open(&recording.path, opener, &on_detected);
        // Whoever asked for it may be gone, or know the format.
        let _ = sender.send(opened);
    }));
    // Most files that cannot be opened are of no known format, or gone.
    let outcome = detected.recv().await.ok_or_else(work::internal_error)?;
    outcome.map_err(|message| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message))?;
    Ok(json(&listed))
}

async fn clear(Shared(state): Shared<Arc<ServerState>>) -> Result<StatusCode, ApiError> {
    if let Some(recent) = state.recent.get() {
        let failed = |message| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message);
        recent.clear().map_err(failed)?;
    }
    Ok(StatusCode::NO_CONTENT)
}
