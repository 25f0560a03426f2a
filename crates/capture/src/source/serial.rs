//! Serial ports.

use super::backoff::Backoff;
use super::interface::{Source, SourceError, SourceEvent};
use super::target_connection::not_taken;
use crate::address::SerialAddress;
use serialport::SerialPort;
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

/// Size of the read buffer in bytes: more than systems buffer.
const READ_BUFFER_LEN: usize = 64 << 10;

/// A source that reads a serial port, and reopens it after it was unplugged.
pub(super) struct SerialSource {
    address: SerialAddress,
    port: Option<Box<dyn SerialPort>>,
    /// Whether the user was informed that the port is open.
    is_announced: bool,
    backoff: Backoff,
    /// The last announcement of what the source waits for.
    announced: Option<String>,
    buffer: Box<[u8]>,
}

/// Opens a serial port.
pub(super) fn open(address: &SerialAddress) -> Result<SerialSource, SourceError> {
    let port = open_port(address).map_err(|source| SourceError::Open {
        subject: format!("the serial port {}", address.device),
        source,
    })?;
    Ok(SerialSource {
        address: address.clone(),
        port: Some(port),
        is_announced: false,
        backoff: Backoff::new(),
        announced: None,
        buffer: vec![0; READ_BUFFER_LEN].into_boxed_slice(),
    })
}

fn open_port(address: &SerialAddress) -> io::Result<Box<dyn SerialPort>> {
    let port = serialport::new(&address.device, address.baud)
        .data_bits(address.framing.data_bits)
        .parity(address.framing.parity)
        .stop_bits(address.framing.stop_bits)
        .flow_control(address.flow_control)
        .open()?;
    Ok(port)
}

impl Source for SerialSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        let deadline = Instant::now() + wait;
        if self.port.is_none() {
            if self.announced.is_none() {
                return self.announce_waiting(String::new());
            }
            if !self.backoff.wait(deadline) {
                return SourceEvent::Nothing;
            }
            match open_port(&self.address) {
                Ok(port) => self.port = Some(port),
                Err(error) => {
                    self.backoff.failed();
                    return self.announce_waiting(format!(" ({error})"));
                }
            }
        }
        if !self.is_announced {
            self.is_announced = true;
            self.announced = None;
            let SerialAddress {
                device,
                baud,
                framing,
                ..
            } = &self.address;
            return SourceEvent::Connected(format!("{device}, {baud} baud, {framing}"));
        }
        match self.read(deadline.saturating_duration_since(Instant::now())) {
            Ok(count) => SourceEvent::Bytes(self.buffer.get(..count).unwrap_or_default()),
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::Interrupted) => {
                SourceEvent::Nothing
            }
            Err(error) => {
                self.port = None;
                self.is_announced = false;
                self.backoff.failed();
                SourceEvent::Lost(format!("{}: {error}", self.address.device))
            }
        }
    }

    fn send(&mut self, bytes: &[u8], wait: Duration) -> Result<(), SourceError> {
        self.send_all(bytes, wait)
            .map_err(|source| SourceError::Send {
                subject: format!("the serial port {}", self.address.device),
                source,
            })
    }

    fn prepare_end(&mut self) -> bool {
        true
    }

    fn queued_bytes(&self) -> u64 {
        let port = self.port.as_ref();
        port.map_or(0, |port| port.bytes_to_read().unwrap_or(0).into())
    }
}

impl SerialSource {
    /// Sends bytes within about `wait`.
    fn send_all(&mut self, bytes: &[u8], wait: Duration) -> io::Result<()> {
        let Some(port) = &mut self.port else {
            return Err(ErrorKind::NotConnected.into());
        };
        let deadline = Instant::now() + wait;
        let mut rest = bytes;
        while !rest.is_empty() {
            let remaining = deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return Err(not_taken(bytes.len() - rest.len(), bytes.len()));
            }
            port.set_timeout(remaining)?;
            match port.write(rest) {
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error)
                    if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads at least one byte.
    fn read(&mut self, wait: Duration) -> io::Result<usize> {
        let Some(port) = &mut self.port else {
            return Err(ErrorKind::NotConnected.into());
        };
        port.set_timeout(wait)?;
        let count = port.read(&mut self.buffer)?;
        if count == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.backoff.succeeded();
        Ok(count)
    }

    /// Announces what the source waits for, unless already announced.
    fn announce_waiting(&mut self, why: String) -> SourceEvent<'_> {
        if self.announced.as_ref() == Some(&why) {
            return SourceEvent::Nothing;
        }
        let what = format!("{} to be there{why}", self.address.device);
        self.announced = Some(why);
        SourceEvent::Waiting(what)
    }
}
