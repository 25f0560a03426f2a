//! Blocking work, off the async threads.

use crate::error::ApiError;
use axum::http::StatusCode;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Limits concurrent work. A request that waits for a permit holds nothing else, and
/// ends with its connection.
pub(crate) struct WorkLimits {
    queries: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    commands: Arc<Semaphore>,
    snapshots: Arc<Semaphore>,
    sql: Arc<Semaphore>,
    polls: Arc<Semaphore>,
    max_polls: usize,
}

/// Kind of work.
#[derive(Clone, Copy)]
pub(crate) enum WorkKind {
    /// Answers a query.
    Query,
    /// Receives and decodes a file.
    Upload,
    /// Changes a session, which may involve many bytes of notes.
    Command,
    /// Builds a held snapshot of a live trace.
    Snapshot,
    /// Waits for the program that answers a SQL query.
    Sql,
}

/// A permit for one job.
pub(crate) struct WorkPermit {
    _permit: tokio::sync::OwnedSemaphorePermit,
}

impl WorkLimits {
    /// For a server with up to `max_connections`. Fewer requests may wait for updates,
    /// so that other requests get through.
    pub(crate) fn new(max_connections: usize) -> Self {
        let max_waits = max_connections / 4 * 3;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            queries: Arc::new(Semaphore::new(2 * cores)),
            uploads: Arc::new(Semaphore::new(2)),
            commands: Arc::new(Semaphore::new(4)),
            snapshots: Arc::new(Semaphore::new(1)),
            sql: Arc::new(Semaphore::new(2)),
            polls: Arc::new(Semaphore::new(max_waits)),
            max_polls: max_waits,
        }
    }

    /// Waits for a permit.
    pub(crate) async fn acquire(&self, kind: WorkKind) -> Result<WorkPermit, ApiError> {
        let semaphore = match kind {
            WorkKind::Query => &self.queries,
            WorkKind::Upload => &self.uploads,
            WorkKind::Command => &self.commands,
            WorkKind::Snapshot => &self.snapshots,
            WorkKind::Sql => &self.sql,
        };
        let permit = Arc::clone(semaphore).acquire_owned().await;
        let permit = permit.map_err(|_| internal_error())?;
        Ok(WorkPermit { _permit: permit })
    }

    /// A permit to wait for updates, which needs no processor.
    pub(crate) fn acquire_poll(&self) -> Result<WorkPermit, ApiError> {
        let permit = Arc::clone(&self.polls).try_acquire_owned();
        let permit = permit.map_err(|_| {
            let max = self.max_polls;
            let message = format!("{max} viewers wait for news; close one first");
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        Ok(WorkPermit { _permit: permit })
    }
}

impl WorkPermit {
    /// Runs a job. The permit is released when the job ends, even if its request was
    /// cancelled.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let done = tokio::task::spawn_blocking(move || {
            let outcome = job();
            drop(self);
            outcome
        });
        done.await.map_err(|_| internal_error())
    }
}

pub(crate) fn internal_error() -> ApiError {
    let message = "internal error; see standard error";
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::response::IntoResponse as _;
    use std::time::Duration;
    use tokio::time::timeout;

    #[tokio::test]
    async fn panicking_jobs_release_their_permit() {
        let work = WorkLimits::new(16);
        for _ in 0..10 {
            let permit = work.acquire(WorkKind::Upload).await.unwrap();
            let outcome: Result<(), ApiError> = permit.run(|| panic!("as meant")).await;
            let status = outcome.unwrap_err().into_response().status();
            assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn cancelled_waiters_take_no_permit() {
        let work = WorkLimits::new(16);
        let first = work.acquire(WorkKind::Upload).await.unwrap();
        let second = work.acquire(WorkKind::Upload).await.unwrap();
        let soon = Duration::from_secs(1);
        assert!(timeout(soon, work.acquire(WorkKind::Upload)).await.is_err());
        assert!(timeout(soon, work.acquire(WorkKind::Query)).await.is_ok());
        drop((first, second));
        let both = (
            work.acquire(WorkKind::Upload).await,
            work.acquire(WorkKind::Upload).await,
        );
        assert!(both.0.is_ok() && both.1.is_ok());
    }
}
