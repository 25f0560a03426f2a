//! The scheduler of a cluster: its URL, and whether tasks of a query run.

use anyhow::{Context as _, anyhow, bail, ensure};
use rtoscope_command::message;
use serde_json::Value;
use std::fmt;
use std::time::{Duration, Instant};
use url::{Host, Url};

/// The port of a scheduler.
const DEFAULT_PORT: u16 = 50050;

/// The time in which a task of a query must run, by default.
const DEFAULT_WAIT: Duration = Duration::from_secs(60);

/// Between two looks at a job.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The time in which the scheduler must answer.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// A cluster, by its scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cluster {
    host: Host,
    port: u16,
    /// The time in which a task of a query must run.
    wait: Duration,
}

/// Whether tasks of a job run.
enum Progress {
    Running,
    /// None does.
    Waiting {
        executors: usize,
    },
}

impl Cluster {
    /// The cluster of a URL such as `df://host:50050` or `df://host?wait=300`.
    ///
    /// # Errors
    ///
    /// If the URL is wrong.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let expected = || format!("--engine {text}: expected df://HOST:PORT");
        let url = Url::parse(text).with_context(expected)?;
        let has_rest = !url.username().is_empty()
            || url.password().is_some()
            || !matches!(url.path(), "" | "/")
            || url.fragment().is_some();
        ensure!(url.scheme() == "df" && !has_rest, expected());
        let mut wait = DEFAULT_WAIT;
        for (key, value) in url.query_pairs() {
            ensure!(key == "wait", "--engine {text}: unknown setting {key}");
            let seconds = value.parse();
            wait = Duration::from_secs(seconds.with_context(|| {
                format!("--engine {text}: expected a number of seconds, found {value}")
            })?);
        }
        let host = url.host_str().filter(|host| !host.is_empty());
        Ok(Self {
            host: Host::parse(host.with_context(expected)?).with_context(expected)?,
            port: url.port().unwrap_or(DEFAULT_PORT),
            wait,
        })
    }

    /// The URL of the scheduler's services.
    pub(crate) fn scheduler_url(&self) -> String {
        format!("http://{}:{}", self.host, self.port)
    }

    /// Checks that the scheduler accepts connections.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub(crate) async fn connect(&self) -> anyhow::Result<()> {
        let connect = async {
            match &self.host {
                Host::Domain(name) => {
                    tokio::net::TcpStream::connect((name.as_str(), self.port)).await
                }
                Host::Ipv4(address) => tokio::net::TcpStream::connect((*address, self.port)).await,
                Host::Ipv6(address) => tokio::net::TcpStream::connect((*address, self.port)).await,
            }
        };
        match tokio::time::timeout(ANSWER_LIMIT, connect).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => {
                Err(error).with_context(|| format!("cannot reach the scheduler {self}"))
            }
            Err(_) => bail!(
                "cannot reach the scheduler {self}: no answer in {} s",
                ANSWER_LIMIT.as_secs()
            ),
        }
    }

    /// Ends when no task of a job has run for the time to wait: there is no executor, all are busy,
    /// or the scheduler does not know that one is free.
    pub(crate) async fn lack_of_progress(&self, job_name: &str) -> anyhow::Error {
        let mut since = Instant::now();
        let mut has_warned = false;
        loop {
            let mut warn = |text: String| {
                if !std::mem::replace(&mut has_warned, true) {
                    message!("{text}");
                }
            };
            match self.progress(job_name).await {
                Ok(Progress::Running) => since = Instant::now(),
                Ok(Progress::Waiting { executors }) => {
                    if since.elapsed() >= self.wait {
                        return anyhow!(
                            "{self} has {executors} executors, and no task of the query has run \
                             for {} s (set with df://HOST:PORT?wait=SECONDS)",
                            self.wait.as_secs()
                        );
                    }
                    if executors == 0 {
                        warn(format!("{self} has no executors yet; waiting"));
                    }
                }
                Err(error) => {
                    warn(format!("{self} does not report its jobs: {error:#}"));
                    since = Instant::now();
                }
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Whether tasks of a job run.
    async fn progress(&self, job_name: &str) -> anyhow::Result<Progress> {
        let executors = self.executors().await?;
        let Some(id) = self.job_id(job_name).await? else {
            return Ok(Progress::Waiting { executors });
        };
        let path = format!("job/{id}/stages");
        let answer = self.request(reqwest::Method::GET, &path).await?;
        let stages = answer.get("stages").and_then(Value::as_array);
        let mut tasks = stages
            .into_iter()
            .flatten()
            .filter_map(|stage| stage.get("tasks")?.as_array())
            .flatten();
        let runs = tasks.any(|task| task.get("status").and_then(Value::as_str) == Some("Running"));
        Ok(match runs && executors > 0 {
            true => Progress::Running,
            false => Progress::Waiting { executors },
        })
    }

    /// The identifier of the job with a name, if there is one.
    async fn job_id(&self, job_name: &str) -> anyhow::Result<Option<String>> {
        let jobs = self.request(reqwest::Method::GET, "jobs").await?;
        let mut jobs = jobs.as_array().context("not a list")?.iter();
        let job = jobs.find(|job| job.get("job_name").and_then(Value::as_str) == Some(job_name));
        let id = job.and_then(|job| job.get("job_id")?.as_str());
        Ok(id.map(str::to_owned))
    }

    /// The number of executors.
    async fn executors(&self) -> anyhow::Result<usize> {
        let answer = self.request(reqwest::Method::GET, "executors").await?;
        let executors = answer.as_array().context("not a list")?;
        Ok(executors.len())
    }

    /// Cancels the job with a name.
    ///
    /// # Errors
    ///
    /// If the scheduler does not answer.
    pub(crate) async fn cancel(&self, job_name: &str) -> anyhow::Result<()> {
        if let Some(id) = self.job_id(job_name).await? {
            self.request(reqwest::Method::PATCH, &format!("job/{id}"))
                .await?;
        }
        Ok(())
    }

    /// The answer of the scheduler's HTTP interface.
    async fn request(&self, method: reqwest::Method, path: &str) -> anyhow::Result<Value> {
        let url = format!("{}/api/{path}", self.scheduler_url());
        let client = reqwest::Client::builder()
            .no_proxy()
            .timeout(ANSWER_LIMIT)
            .build()?;
        let answer = client.request(method, url).send().await?;
        let text = answer.error_for_status()?.text().await?;
        Ok(serde_json::from_str(&text)?)
    }
}

impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "df://{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn urls_name_a_scheduler() {
        let parse = |text: &str| {
            let cluster = Cluster::parse(text).unwrap();
            (cluster.scheduler_url(), cluster.wait.as_secs())
        };
        assert_eq!(parse("df://a"), ("http://a:50050".to_owned(), 60));
        assert_eq!(
            parse("df://10.0.0.1:7/"),
            ("http://10.0.0.1:7".to_owned(), 60)
        );
        assert_eq!(
            parse("df://[::1]:7?wait=5"),
            ("http://[::1]:7".to_owned(), 5)
        );
        for wrong in [
            "a",
            "df://",
            "http://a:50050",
            "df://a:x",
            "df://a/path",
            "df://user@a",
            "df://a?wait=x",
            "df://a?limit=3",
        ] {
            assert!(Cluster::parse(wrong).is_err(), "{wrong}");
        }
    }
}
