//! Requests to the viewer's server on this machine.

use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// The server of a viewer.
#[derive(Debug)]
pub(super) struct ViewerServer {
    pub(super) port: u16,
}

impl ViewerServer {
    pub(super) fn get(&self, path: &str) -> anyhow::Result<Value> {
        let body = self.request(&format!("GET {path}"), "")?;
        serde_json::from_str(&body).with_context(|| format!("{path}: {body}"))
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> anyhow::Result<()> {
        self.request(&format!("POST {path}"), &body.to_string())
            .map(|_| ())
    }

    fn request(&self, request: &str, body: &str) -> anyhow::Result<String> {
        let address = ("127.0.0.1", self.port);
        let mut stream = TcpStream::connect(address).context("the viewer does not answer")?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).context("the answer")?;
        let (head, body) = answer.split_once("\r\n\r\n").context("no answer")?;
        let is_successful = head.starts_with("HTTP/1.1 2");
        ensure!(is_successful, "{request}: {answer}");
        Ok(body.to_owned())
    }
}
