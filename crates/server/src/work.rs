//! Work that takes a processor, away from the threads that talk to clients.

use crate::refusal::Refusal;
use axum::http::StatusCode;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// How much is done at the same time. What has to wait holds nothing but its
/// request, and ends with its connection.
pub(crate) struct Work {
    questions: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    commands: Arc<Semaphore>,
    editions: Arc<Semaphore>,
    waits: Arc<Semaphore>,
    max_waits: usize,
}

/// What a request is about to do.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// To answer a question.
    Question,
    /// To take the bytes of a file and decode them.
    Upload,
    /// To change a session, which may take many bytes of notes.
    Command,
    /// To make a part of a live trace that is held.
    Edition,
}

/// The right to do it.
pub(crate) struct Turn {
    _permit: tokio::sync::OwnedSemaphorePermit,
}

impl Work {
    /// Creates the turns of a server with up to `max_connections`. Fewer requests wait for news at the
    /// same time, so that other requests come through.
    pub(crate) fn new(max_connections: usize) -> Self {
        let max_waits = max_connections / 4 * 3;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            questions: Arc::new(Semaphore::new(2 * cores)),
            uploads: Arc::new(Semaphore::new(2)),
            commands: Arc::new(Semaphore::new(4)),
            editions: Arc::new(Semaphore::new(1)),
            waits: Arc::new(Semaphore::new(max_waits)),
            max_waits,
        }
    }

    /// Waits for its turn.
    pub(crate) async fn turn(&self, kind: Kind) -> Result<Turn, Refusal> {
        let semaphore = match kind {
            Kind::Question => &self.questions,
            Kind::Upload => &self.uploads,
            Kind::Command => &self.commands,
            Kind::Edition => &self.editions,
        };
        let permit = Arc::clone(semaphore).acquire_owned().await;
        let permit = permit.map_err(|_| failed())?;
        Ok(Turn { _permit: permit })
    }

    /// The right to wait for news, which takes no processor.
    pub(crate) fn waiting(&self) -> Result<Turn, Refusal> {
        let permit = Arc::clone(&self.waits).try_acquire_owned();
        let permit = permit.map_err(|_| {
            let max = self.max_waits;
            let sentence = format!("{max} viewers wait for news; close one first");
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
        })?;
        Ok(Turn { _permit: permit })
    }
}

impl Turn {
    /// Does it. The turn ends with the job, even if nobody waits for it any
    /// more.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let done = tokio::task::spawn_blocking(move || {
            let outcome = job();
            drop(self);
            outcome
        });
        done.await.map_err(|_| failed())
    }
}

fn failed() -> Refusal {
    let sentence = "rtoscope failed to do this, which is a fault in it; standard error says more";
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::response::IntoResponse as _;
    use std::time::Duration;
    use tokio::time::timeout;

    #[tokio::test]
    async fn a_job_that_fails_gives_its_turn_back() {
        let work = Work::new(16);
        for _ in 0..10 {
            let turn = work.turn(Kind::Upload).await.unwrap();
            let outcome: Result<(), Refusal> = turn.run(|| panic!("as meant")).await;
            let status = outcome.unwrap_err().into_response().status();
            assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_no_longer_waits_takes_no_turn() {
        let work = Work::new(16);
        let first = work.turn(Kind::Upload).await.unwrap();
        let second = work.turn(Kind::Upload).await.unwrap();
        let soon = Duration::from_secs(1);
        assert!(timeout(soon, work.turn(Kind::Upload)).await.is_err());
        assert!(timeout(soon, work.turn(Kind::Question)).await.is_ok());
        drop((first, second));
        let both = (work.turn(Kind::Upload).await, work.turn(Kind::Upload).await);
        assert!(both.0.is_ok() && both.1.is_ok());
    }
}
