//! An S3 server for the tests of fleets.

use crate::packages::PythonEnvironment;
use crate::shell::{self, Background};
use anyhow::{Context as _, ensure};
use regex::Regex;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The bucket of the tests.
pub(crate) const BUCKET: &str = "traces";

/// The time in which the server must answer.
const START_LIMIT: Duration = Duration::from_secs(60);

/// An S3 server on this machine.
pub(crate) struct ObjectStoreServer {
    _process: Background,
    port: u16,
}

impl ObjectStoreServer {
    /// Starts it with an empty bucket.
    pub(crate) fn start(python: &PythonEnvironment) -> anyhow::Result<Self> {
        let port = shell::free_port()?;
        let arguments = ["-H", "127.0.0.1", "-p", &port.to_string()];
        let mut server = shell::program(&python.program("moto_server"), &arguments);
        // Larger objects are in files instead of memory.
        server.env("MOTO_S3_DEFAULT_KEY_BUFFER_SIZE", "1000000");
        let server = server.stdout(Stdio::null()).stderr(Stdio::null());
        let server = Self {
            _process: Background(server.spawn().context("moto_server")?),
            port,
        };
        let begin = Instant::now();
        while let Err(error) = server.create_bucket() {
            ensure!(begin.elapsed() < START_LIMIT, "the S3 server: {error:#}");
            sleep(Duration::from_millis(200));
        }
        Ok(server)
    }

    fn create_bucket(&self) -> anyhow::Result<()> {
        self.request("PUT", "", b"").map(|_| ())
    }

    /// Writes an object.
    pub(crate) fn put(&self, key: &str, bytes: &[u8]) -> anyhow::Result<()> {
        self.request("PUT", &format!("/{key}"), bytes).map(|_| ())
    }

    /// The keys of all objects that start with a prefix, and their sizes.
    pub(crate) fn list(&self, prefix: &str) -> anyhow::Result<Vec<(String, u64)>> {
        let object = Regex::new("<Key>([^<]*)</Key>(?s:.*?)<Size>([0-9]*)</Size>")?;
        let next = Regex::new("<NextContinuationToken>([^<]*)</NextContinuationToken>")?;
        let mut objects = Vec::new();
        let mut rest = String::new();
        loop {
            let query = format!("?list-type=2&prefix={prefix}{rest}");
            let answer = self.request("GET", &query, b"")?;
            for found in object.captures_iter(&answer) {
                objects.push((found[1].to_owned(), found[2].parse()?));
            }
            match next.captures(&answer) {
                Some(token) => rest = format!("&continuation-token={}", &token[1]),
                None => return Ok(objects),
            }
        }
    }

    /// Sends a request about the bucket, and returns the text of the answer.
    fn request(&self, method: &str, path: &str, body: &[u8]) -> anyhow::Result<String> {
        // Answers to later versions of HTTP may come in chunks.
        let request = format!("{method} /{BUCKET}{path} HTTP/1.0");
        shell::http(self.port, &request, body)
    }

    /// Sets the variables of programs that use the server.
    pub(crate) fn set_environment(&self, command: &mut Command) {
        command
            .env("RTOSCOPE_TEST_BUCKET", BUCKET)
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test")
            .env("AWS_REGION", "us-east-1")
            .env(
                "AWS_ENDPOINT_URL",
                format!("http://127.0.0.1:{}", self.port),
            )
            .env("AWS_ALLOW_HTTP", "true");
    }
}
