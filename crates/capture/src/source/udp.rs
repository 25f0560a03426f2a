//! UDP source.

use super::datagrams::DatagramSocket;
use super::interface::{Source, SourceError, SourceEvent, SourceOptions};
use crate::Unread;
use crate::address::Endpoint;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Maximum size of a datagram.
const MAX_DATAGRAM_BYTES: usize = 65_536;

/// Size of the read buffer in bytes. Datagrams that wait are delivered together, as each
/// delivery takes longer than a fast target's next datagram.
const READ_BUFFER_LEN: usize = 4 * MAX_DATAGRAM_BYTES;

/// A target that has sent nothing for this long may be replaced by another one, such as
/// itself after a reset, with another port.
const SILENCE: Duration = Duration::from_secs(2);

/// A source that receives datagrams: the bytes of one target, in the order of arrival.
pub(super) struct UdpSource {
    socket: DatagramSocket,
    /// The target, and when it last sent a datagram.
    target: Option<(SocketAddr, Instant)>,
    /// Another target, which is ignored and was reported.
    ignored: Option<SocketAddr>,
    is_announced: bool,
    buffer: Box<[u8]>,
    /// A received datagram that follows another event, at the start of the buffer: its size
    /// and its sender.
    held: Option<(usize, SocketAddr)>,
    /// The position of the held datagram in the buffer until then.
    held_at: usize,
    /// The first datagram of a target: its size. It follows the reports of its connection.
    first_datagram: usize,
    /// Whether the target's connection is still to be reported.
    connects: bool,
}

/// Opens a port to receive at.
pub(super) fn open(
    endpoint: &Endpoint,
    settings: &SourceOptions,
) -> Result<UdpSource, SourceError> {
    let failed = |source| SourceError::Open {
        subject: format!("udp://{endpoint}"),
        source,
    };
    let addresses = endpoint.local_addresses().map_err(failed)?;
    endpoint.require_public("udp", &addresses, settings)?;
    Ok(UdpSource {
        socket: DatagramSocket::bind(&addresses).map_err(failed)?,
        target: None,
        ignored: None,
        is_announced: false,
        buffer: vec![0; READ_BUFFER_LEN].into(),
        held: None,
        held_at: 0,
        first_datagram: 0,
        connects: false,
    })
}

/// What a datagram means.
enum Sender {
    /// The target.
    Target,
    /// A new target, in place of the one that is silent, if there was one.
    NewTarget { replaces: bool },
    /// Another one than the target.
    Other,
}

impl UdpSource {
    fn sender(&mut self, from: SocketAddr) -> Sender {
        let now = Instant::now();
        match &mut self.target {
            Some((target, last)) if *target == from => {
                *last = now;
                Sender::Target
            }
            Some((_, last)) if now.duration_since(*last) < SILENCE => Sender::Other,
            target => Sender::NewTarget {
                replaces: target.replace((from, now)).is_some(),
            },
        }
    }

    /// Appends the datagrams of the target that wait to the first `count` bytes of the
    /// buffer; returns the number of bytes then.
    fn append_queued(&mut self, mut count: usize, target: SocketAddr) -> usize {
        while let Some(room) = self.buffer.get_mut(count..)
            && room.len() >= MAX_DATAGRAM_BYTES
            && let Some((size, from)) = self.socket.receive_queued(room)
        {
            if from != target || self.socket.has_dropped() {
                self.held = Some((size, from)).filter(|_| size > 0);
                self.held_at = count;
                break;
            }
            count += size;
        }
        count
    }

    fn bytes(&self, count: usize) -> SourceEvent<'_> {
        SourceEvent::Bytes(self.buffer.get(..count).unwrap_or_default())
    }
}

impl Source for UdpSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        if let Some((target, _)) = self.target
            && std::mem::take(&mut self.connects)
        {
            return SourceEvent::Connected(target.to_string());
        }
        let first = std::mem::take(&mut self.first_datagram);
        if first > 0 {
            return self.bytes(first);
        }
        if !self.is_announced {
            self.is_announced = true;
            return SourceEvent::Waiting(format!("datagrams at {}", self.socket.local()));
        }
        let held = self.held.take();
        let received = match held {
            Some((count, _)) => {
                let at = std::mem::take(&mut self.held_at);
                self.buffer.copy_within(at..at + count, 0);
                held
            }
            None => match self.socket.receive(&mut self.buffer, wait) {
                Ok(received) => received.filter(|(count, _)| *count > 0),
                Err(source) => {
                    return SourceEvent::Failed(SourceError::Read {
                        subject: format!("udp://{}", self.socket.local()),
                        source,
                    });
                }
            },
        };
        let dropped = self.socket.take_dropped();
        if dropped > 0 {
            self.held = received;
            return SourceEvent::Unread(Unread::Datagrams(dropped));
        }
        let Some((count, from)) = received else {
            return SourceEvent::Nothing;
        };
        match self.sender(from) {
            Sender::Target => {
                let count = self.append_queued(count, from);
                self.bytes(count)
            }
            Sender::NewTarget { replaces } => {
                self.ignored = None;
                self.first_datagram = count;
                if replaces {
                    self.connects = true;
                    return SourceEvent::Lost(format!("it is silent, and {from} sends"));
                }
                SourceEvent::Connected(from.to_string())
            }
            Sender::Other if self.ignored == Some(from) => SourceEvent::Nothing,
            Sender::Other => {
                self.ignored = Some(from);
                SourceEvent::Message(format!(
                    "datagrams of {from} are ignored while another target sends"
                ))
            }
        }
    }

    fn send(&mut self, bytes: &[u8], _wait: Duration) -> Result<(), SourceError> {
        let sent = match self.target {
            Some((target, _)) => self.socket.send_to(bytes, target),
            None => Err(ErrorKind::NotConnected.into()),
        };
        sent.map_err(|source| SourceError::Send {
            subject: "the target".to_owned(),
            source,
        })
    }

    fn prepare_end(&mut self) -> bool {
        self.socket.stop_receiving()
    }

    fn queued_bytes(&self) -> u64 {
        self.socket.queued_bytes()
    }

    fn unread(&mut self) -> Option<Unread> {
        let unread = self.socket.take_unread(&mut self.buffer);
        (unread > 0).then_some(Unread::Datagrams(unread))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Address;

    #[test]
    fn a_silent_target_is_replaced() {
        let Ok(Address::Udp(endpoint)) = "udp://:0".parse() else {
            panic!("no address");
        };
        let mut source = open(&endpoint, &SourceOptions::default()).unwrap();
        let [first, second] = [1, 2].map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
        assert!(matches!(
            source.sender(first),
            Sender::NewTarget { replaces: false }
        ));
        assert!(matches!(source.sender(second), Sender::Other));
        assert!(matches!(source.sender(first), Sender::Target));
        let Some((_, last)) = &mut source.target else {
            panic!("no target");
        };
        *last = last.checked_sub(SILENCE).unwrap();
        assert!(matches!(
            source.sender(second),
            Sender::NewTarget { replaces: true }
        ));
        source.connects = true;
        source.first_datagram = 3;
        let wait = Duration::ZERO;
        assert!(matches!(source.next(wait), SourceEvent::Connected(peer) if peer == "127.0.0.1:2"));
        assert!(matches!(source.next(wait), SourceEvent::Bytes(bytes) if bytes.len() == 3));
    }
}
