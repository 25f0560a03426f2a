//! A socket for datagrams, and how many of them the system dropped.

use super::queued::queued_bytes;
use socket2::SockRef;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::Duration;

/// Size of the system's buffer that is asked for, in bytes. Systems reduce it to their
/// limit.
const RECEIVE_BUFFER_LEN: usize = 16 << 20;

/// Receives datagrams, and counts those that the system dropped, on systems that report it.
pub(super) struct DatagramSocket {
    socket: UdpSocket,
    local: SocketAddr,
    /// Current read timeout.
    wait: Duration,
    drops: DropCounter,
}

impl DatagramSocket {
    pub(super) fn bind(addresses: &[SocketAddr]) -> io::Result<Self> {
        let socket = UdpSocket::bind(addresses)?;
        // Whatever the system grants.
        let _ = SockRef::from(&socket).set_recv_buffer_size(RECEIVE_BUFFER_LEN);
        Ok(Self {
            local: socket.local_addr()?,
            drops: DropCounter::start(&socket),
            socket,
            wait: Duration::ZERO,
        })
    }

    pub(super) fn local(&self) -> SocketAddr {
        self.local
    }

    /// The next datagram, within `wait`: its size and its sender.
    pub(super) fn receive(
        &mut self,
        datagram: &mut [u8],
        wait: Duration,
    ) -> io::Result<Option<(usize, SocketAddr)>> {
        // A timeout of 0 would be none.
        let wait = wait.max(Duration::from_millis(1));
        if wait != self.wait {
            self.socket.set_read_timeout(Some(wait))?;
            self.wait = wait;
        }
        match self
            .drops
            .receive(&self.socket, datagram, Wait::UntilTimeout)
        {
            Ok(received) => Ok(Some(received)),
            Err(error) => match error.kind() {
                // Windows reports that the target did not receive what was sent to it.
                ErrorKind::WouldBlock
                | ErrorKind::TimedOut
                | ErrorKind::Interrupted
                | ErrorKind::ConnectionReset => Ok(None),
                _ => Err(error),
            },
        }
    }

    /// A datagram that waits already, on systems that can read one without waiting.
    pub(super) fn receive_queued(&mut self, datagram: &mut [u8]) -> Option<(usize, SocketAddr)> {
        if !DropCounter::IS_KNOWN {
            return None;
        }
        // The next wait reports an error that lasts.
        let received = self.drops.receive(&self.socket, datagram, Wait::No);
        received.ok()
    }

    /// Whether [`DatagramSocket::take_dropped`] has something to take.
    pub(super) fn has_dropped(&self) -> bool {
        self.drops.dropped > 0
    }

    /// Number of datagrams that the system dropped before the last received one and after
    /// the last call.
    pub(super) fn take_dropped(&mut self) -> u64 {
        std::mem::take(&mut self.drops.dropped)
    }

    pub(super) fn send_to(&self, bytes: &[u8], target: SocketAddr) -> io::Result<()> {
        self.socket.send_to(bytes, target).map(drop)
    }

    /// Number of bytes that wait: at least those of the first datagram.
    pub(super) fn queued_bytes(&self) -> u64 {
        queued_bytes(&self.socket)
    }

    /// Takes no more datagrams than those that wait. Returns whether the system can.
    pub(super) fn stop_receiving(&self) -> bool {
        // A connected socket receives from its peer only.
        DropCounter::IS_KNOWN && self.socket.connect(self.own_address()).is_ok()
    }

    /// After [`DatagramSocket::stop_receiving`]: number of datagrams that were dropped since
    /// the last received one, or that still wait.
    pub(super) fn take_unread(&mut self, datagram: &mut [u8]) -> u64 {
        // The system reports the number with a datagram only.
        let mut unread = 0;
        if self.socket.send(&[]).is_ok() {
            let own = self.own_address();
            while let Some((count, from)) = self.receive_queued(datagram) {
                if count == 0 && from == own {
                    break;
                }
                unread += 1;
            }
        }
        unread + self.take_dropped()
    }

    /// The address at which this machine reaches the socket.
    fn own_address(&self) -> SocketAddr {
        let address = match self.local.ip() {
            IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            _ => return self.local,
        };
        SocketAddr::new(address, self.local.port())
    }
}

/// Whether to wait for a datagram.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    UntilTimeout,
    No,
}

/// The system's counter of dropped datagrams.
#[cfg(target_os = "linux")]
struct DropCounter {
    /// The buffer for the counter.
    control: Vec<u8>,
    /// The last value of the counter, which wraps.
    last: u32,
    /// Number of datagrams dropped and not taken.
    dropped: u64,
}

#[cfg(target_os = "linux")]
impl DropCounter {
    const IS_KNOWN: bool = true;

    fn start(socket: &UdpSocket) -> Self {
        use nix::sys::socket::{setsockopt, sockopt::RxqOvfl};
        // A system that does not know it delivers no counter.
        let _ = setsockopt(socket, RxqOvfl, &1);
        Self {
            control: nix::cmsg_space!(u32),
            last: 0,
            dropped: 0,
        }
    }

    fn receive(
        &mut self,
        socket: &UdpSocket,
        datagram: &mut [u8],
        wait: Wait,
    ) -> io::Result<(usize, SocketAddr)> {
        use nix::sys::socket::{ControlMessageOwned, MsgFlags, SockaddrStorage, recvmsg};
        use std::os::fd::AsRawFd as _;
        let mut parts = [io::IoSliceMut::new(datagram)];
        let control = Some(self.control.as_mut_slice());
        let descriptor = socket.as_raw_fd();
        let flags = match wait {
            Wait::UntilTimeout => MsgFlags::empty(),
            Wait::No => MsgFlags::MSG_DONTWAIT,
        };
        let received = recvmsg::<SockaddrStorage>(descriptor, &mut parts, control, flags)?;
        for message in received.cmsgs()? {
            if let ControlMessageOwned::RxqOvfl(count) = message {
                self.dropped += u64::from(count.wrapping_sub(self.last));
                self.last = count;
            }
        }
        let from = received.address.and_then(|from| {
            let v4 = from.as_sockaddr_in().map(|from| SocketAddr::from(*from));
            v4.or_else(|| from.as_sockaddr_in6().map(|from| SocketAddr::from(*from)))
        });
        let from = from.ok_or(ErrorKind::InvalidData)?;
        Ok((received.bytes, from))
    }
}

/// The system's counter of dropped datagrams: there is none.
#[cfg(not(target_os = "linux"))]
struct DropCounter {
    dropped: u64,
}

#[cfg(not(target_os = "linux"))]
impl DropCounter {
    const IS_KNOWN: bool = false;

    fn start(_: &UdpSocket) -> Self {
        Self { dropped: 0 }
    }

    fn receive(
        &mut self,
        socket: &UdpSocket,
        datagram: &mut [u8],
        _: Wait,
    ) -> io::Result<(usize, SocketAddr)> {
        socket.recv_from(datagram)
    }
}
