//! The jobs of this process. A job that its query does not await any more is cancelled, for a
//! scheduler does not notice that a client has gone.

use crate::cluster::Cluster;
use rtoscope_command::message;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

static JOBS: Mutex<Vec<Job>> = Mutex::new(Vec::new());

#[derive(Debug, Clone, PartialEq, Eq)]
struct Job {
    cluster: Arc<Cluster>,
    name: String,
}

/// Cancels its job when it is dropped, unless the job has ended.
pub(crate) struct RunningJob(Job);

impl RunningJob {
    /// Call this before the job starts.
    pub(crate) fn new(cluster: Arc<Cluster>, name: String) -> Self {
        let job = Job { cluster, name };
        jobs().push(job.clone());
        Self(job)
    }

    /// The job has ended, or was cancelled.
    pub(crate) fn ended(self) {
        jobs().retain(|job| *job != self.0);
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        let mut jobs = jobs();
        let count = jobs.len();
        jobs.retain(|job| *job != self.0);
        if jobs.len() < count {
            let job = self.0.clone();
            // The caller may be a thread of a runtime, which must not block.
            thread::spawn(move || job.cancel());
        }
    }
}

/// Cancels all jobs, when the process is about to end.
pub(crate) fn cancel_all() {
    let running = std::mem::take(&mut *jobs());
    running.iter().for_each(Job::cancel);
}

fn jobs() -> MutexGuard<'static, Vec<Job>> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    fn cancel(&self) {
        let cancel = || {
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.enable_all().build()?;
            runtime.block_on(self.cluster.cancel(&self.name))
        };
        if let Err(error) = cancel() {
            message!("cannot cancel the job {}: {error:#}", self.name);
        }
    }
}
