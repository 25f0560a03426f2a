//! Source of RTT channels that a server forwards.

use super::interface::{Source, SourceError, SourceEvent};
use super::tcp::{self, TcpSource};
use crate::address::{RttAddress, Scheme};
use std::time::Duration;

/// The start of the first of the lines with which J-Link's server introduces itself.
const INTRODUCTION: &[u8] = b"SEGGER J-Link V";

/// The number of these lines.
const INTRODUCTION_LINES: u8 = 3;

/// Maximum length of an introduction in bytes.
const MAX_INTRODUCTION_BYTES: usize = 1024;

/// A connection to a server of RTT channels.
pub(super) struct RttSource {
    tcp: TcpSource,
    introduction: Introduction,
    /// Bytes at the start of a connection that are no introduction.
    start: Vec<u8>,
}

/// Opens a connection to a server of RTT channels.
pub(super) fn open(address: &RttAddress) -> Result<RttSource, SourceError> {
    // J-Link's server takes this as its own within 100 ms (SEGGER Wiki, "J-Link RTT
    // TELNET Channel").
    let choice = |channel| format!("$$SEGGER_TELNET_ConfigStr=RTTCh;{channel}$$");
    let greeting = address.channel.map(choice).unwrap_or_default();
    Ok(RttSource {
        tcp: tcp::open(Scheme::Rtt, &address.endpoint, greeting)?,
        introduction: Introduction::default(),
        start: Vec::new(),
    })
}

impl Source for RttSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        match self.tcp.next(wait) {
            SourceEvent::Bytes(bytes) => match self.introduction.strip(bytes, &mut self.start) {
                Stripped::Nothing => SourceEvent::Nothing,
                Stripped::Start => SourceEvent::Bytes(&self.start),
                Stripped::Rest(rest) => SourceEvent::Bytes(rest),
            },
            SourceEvent::Connected(server) => {
                self.introduction = Introduction::default();
                SourceEvent::Connected(server)
            }
            other => other,
        }
    }

    fn send(&mut self, bytes: &[u8], wait: Duration) -> Result<(), SourceError> {
        self.tcp.send(bytes, wait)
    }

    fn prepare_end(&mut self) -> bool {
        self.tcp.prepare_end()
    }

    fn queued_bytes(&self) -> u64 {
        self.tcp.queued_bytes()
    }
}

/// What remains of received bytes.
enum Stripped<'a> {
    Nothing,
    /// The collected start of the connection.
    Start,
    Rest(&'a [u8]),
}

/// Removes the introduction of J-Link's server, if there is one.
#[derive(Default)]
struct Introduction {
    /// The bytes so far.
    bytes: Vec<u8>,
    has_ended: bool,
}

impl Introduction {
    /// Strips received bytes. What was withheld and is no introduction goes to `start`.
    fn strip<'a>(&mut self, bytes: &'a [u8], start: &mut Vec<u8>) -> Stripped<'a> {
        if self.has_ended {
            return Stripped::Rest(bytes);
        }
        self.bytes.extend_from_slice(bytes);
        let compared = self.bytes.len().min(INTRODUCTION.len());
        let starts = self.bytes.get(..compared) == INTRODUCTION.get(..compared);
        let ends = self
            .bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        let end = ends
            .map(|(at, _)| at + 1)
            .nth(usize::from(INTRODUCTION_LINES) - 1);
        let rest = match end {
            _ if !starts => 0,
            Some(end) => end,
            None if self.bytes.len() < MAX_INTRODUCTION_BYTES => return Stripped::Nothing,
            None => 0,
        };
        self.has_ended = true;
        *start = std::mem::take(&mut self.bytes);
        start.drain(..rest);
        match start.is_empty() {
            true => Stripped::Nothing,
            false => Stripped::Start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &[u8] = b"SEGGER J-Link V7.94e - Real time terminal output\r\n\
        J-Link V10 compiled Jan  8 2024 10:22:51 V10.10, SN=600104712\r\n\
        Process: JLinkGDBServer\r\n";

    /// What remains of bytes that arrive in pieces.
    fn strip(bytes: &[u8], piece: usize) -> Vec<u8> {
        let mut introduction = Introduction::default();
        let mut start = Vec::new();
        let mut all = Vec::new();
        for piece in bytes.chunks(piece) {
            match introduction.strip(piece, &mut start) {
                Stripped::Nothing => {}
                Stripped::Start => all.extend_from_slice(&start),
                Stripped::Rest(rest) => all.extend_from_slice(rest),
            }
        }
        all
    }

    #[test]
    fn introductions_are_removed() {
        for piece in [1, 7, 60, 1000] {
            let bytes = [LINES, b"CSWL\n\n"].concat();
            assert_eq!(strip(&bytes, piece), b"CSWL\n\n");
            assert_eq!(strip(LINES, piece), b"");
        }
    }

    #[test]
    fn other_bytes_remain() {
        let endless = [INTRODUCTION, &[b'x'; MAX_INTRODUCTION_BYTES]].concat();
        for bytes in [&b"CSWL"[..], b"SEGGER RTT\n\n\n", &endless] {
            for piece in [1, 7, 1000] {
                assert_eq!(strip(bytes, piece), bytes);
            }
        }
    }
}
