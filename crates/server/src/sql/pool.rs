//! Programs that wait for the next query of a trace, which they have already decoded.

use rtoscope_command::sql_process::{MAX_ANSWER_TIME, SqlProcess};
use std::io;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

/// How long an unused program keeps its recording in memory.
const MAX_IDLE_TIME: Duration = Duration::from_secs(120);
/// Maximum number of unused programs.
const MAX_IDLE_PROCESSES: usize = 4;

/// Unused programs, the one used last at the end.
#[derive(Clone, Default)]
pub struct ProcessPool(Arc<Mutex<IdleProcesses>>);

#[derive(Default)]
struct IdleProcesses {
    /// The number of programs that became idle so far.
    count: u64,
    idle: Vec<IdleProcess>,
}

struct IdleProcess {
    key: ProcessKey,
    /// Identifies it: the number of those before it.
    number: u64,
    program: AnsweringProgram,
}

/// A program and its answers.
struct AnsweringProgram {
    process: SqlProcess,
    answers: mpsc::Receiver<Vec<u8>>,
}

impl AnsweringProgram {
    fn start(command: Command) -> io::Result<Self> {
        let (sender, answers) = mpsc::channel(1);
        let receive = move |answer| sender.blocking_send(answer).is_ok();
        let process = SqlProcess::start(command, receive)?;
        Ok(Self { process, answers })
    }

    /// The program, unless it has ended.
    fn if_running(mut self) -> Option<Self> {
        self.process.is_running().then_some(self)
    }
}

/// What a program has opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessKey {
    /// The number of the trace.
    pub trace: u64,
    /// The frequency of its clock in hertz.
    pub frequency_hz: Option<u64>,
}

impl ProcessPool {
    /// Sends a request, one line, to the program that has opened a recording, which is
    /// started if none is idle; returns the answer. The program is killed if the future is
    /// dropped before that.
    ///
    /// # Errors
    ///
    /// A message if the program cannot be started, ends, or takes too long.
    pub async fn request(
        &self,
        key: ProcessKey,
        command: Command,
        request: Vec<u8>,
    ) -> Result<Vec<u8>, String> {
        let idle = self.take(key);
        let sent = tokio::task::spawn_blocking(move || {
            // One that was killed meanwhile is started again.
            let running = idle.and_then(AnsweringProgram::if_running);
            let mut program = match running {
                Some(program) => program,
                None => AnsweringProgram::start(command)?,
            };
            // A program that has ended reports why.
            let _ = program.process.send(&request);
            Ok::<_, io::Error>(program)
        });
        let failed =
            |error: &dyn std::error::Error| format!("cannot run the program for SQL: {error}");
        let mut program = match sent.await {
            Ok(Ok(program)) => program,
            Ok(Err(error)) => return Err(failed(&error)),
            Err(error) => return Err(failed(&error)),
        };
        match timeout(MAX_ANSWER_TIME, program.answers.recv()).await {
            Ok(Some(answer)) => {
                self.put_back(key, program);
                Ok(answer)
            }
            Ok(None) => {
                let reason =
                    tokio::task::spawn_blocking(move || program.process.end_reason()).await;
                Err(reason.unwrap_or_else(|error| failed(&error)))
            }
            Err(_) => Err(format!(
                "stopped: the query took more than {} minutes",
                MAX_ANSWER_TIME.as_secs() / 60
            )),
        }
    }

    /// Ends the idle programs of a trace.
    pub(crate) fn close(&self, trace: u64) {
        self.remove(|idle| idle.key.trace == trace);
    }

    /// An idle program. Those that opened the trace with another clock end.
    fn take(&self, key: ProcessKey) -> Option<AnsweringProgram> {
        self.remove(|idle| idle.key.trace == key.trace && idle.key != key);
        let mut idle = self.lock();
        let found = idle.idle.iter().position(|idle| idle.key == key)?;
        Some(idle.idle.remove(found).program)
    }

    fn put_back(&self, key: ProcessKey, program: AnsweringProgram) {
        let mut processes = self.lock();
        let number = processes.count;
        processes.count += 1;
        let surplus =
            (processes.idle.iter().position(|idle| idle.key == key))
                .or((processes.idle.len() >= MAX_IDLE_PROCESSES).then_some(0));
        let surplus = surplus.map(|index| processes.idle.remove(index));
        processes.idle.push(IdleProcess {
            key,
            number,
            program,
        });
        drop(processes);
        drop(surplus);
        let pool = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            sleep(MAX_IDLE_TIME).await;
            if let Some(pool) = pool.upgrade() {
                Self(pool).remove(|idle| idle.number == number);
            }
        });
    }

    /// Ends some of the idle programs.
    fn remove(&self, is_unwanted: impl Fn(&IdleProcess) -> bool) {
        let unwanted: Vec<_> = {
            let mut processes = self.lock();
            let unwanted = processes.idle.extract_if(.., |idle| is_unwanted(idle));
            unwanted.collect()
        };
        // Waits for them, without the lock.
        drop(unwanted);
    }

    fn lock(&self) -> MutexGuard<'_, IdleProcesses> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
