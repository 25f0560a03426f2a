//! Receivers of a replay.

use super::ReplayError;
use crate::Address;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::time::Duration;

/// The receiver of a replay.
pub struct ReplayReceiver {
    name: String,
    transport: Transport,
}

enum Transport {
    /// A receiver that listens at an address.
    Connect {
        host: String,
        port: u16,
        open: Option<TcpStream>,
    },
    /// Any receiver that connects.
    Listen {
        listener: TcpListener,
        open: Option<TcpStream>,
    },
    /// A file, or standard output.
    Write(Box<dyn Write + Send>),
}

/// Timeout of an attempt to connect to one address.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time for the receiver to acknowledge the end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

impl ReplayReceiver {
    /// Opens the transport: starts listening, or creates the file. Connections are made
    /// later. Listening for other machines must be allowed with `public`.
    ///
    /// # Errors
    ///
    /// If the transport cannot be opened.
    pub fn open(address: &Address, public: bool) -> Result<Self, ReplayError> {
        let name = address.to_string();
        let unusable = |problem: String| ReplayError::Receiver {
            to: name.clone(),
            problem,
        };
        let refused = |error: io::Error| unusable(error.to_string());
        let mut shown = name.clone();
        let way = match address {
            Address::Tcp(endpoint) => Transport::Connect {
                host: endpoint.host.clone(),
                port: endpoint.port,
                open: None,
            },
            Address::TcpListen(endpoint) => {
                let host = (endpoint.host.as_str(), endpoint.port);
                let addresses: Vec<SocketAddr> = host.to_socket_addrs().map_err(refused)?.collect();
                if !public && !addresses.iter().all(|address| address.ip().is_loopback()) {
                    let problem = "other machines could connect; --public allows it";
                    return Err(unusable(problem.to_owned()));
                }
                let listener = TcpListener::bind(addresses.as_slice()).map_err(refused)?;
                let address = listener.local_addr().map_err(refused)?;
                shown = format!("tcp-listen://{address}");
                Transport::Listen {
                    listener,
                    open: None,
                }
            }
            Address::File(file) => {
                Transport::Write(Box::new(File::create(&file.path).map_err(refused)?))
            }
            Address::Stdin => {
                shown = "standard output".to_owned();
                Transport::Write(Box::new(io::stdout()))
            }
            Address::Udp(_)
            | Address::Rtt(_)
            | Address::Swo(_)
            | Address::Serial(_)
            | Address::Gdb(_) => {
                let expected = "expected tcp://HOST:PORT, tcp-listen://HOST:PORT, a file or -";
                return Err(unusable(expected.to_owned()));
            }
        };
        Ok(Self {
            name: shown,
            transport: way,
        })
    }

    /// Display name; with the chosen port if any port was requested.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it can disconnect and reconnect.
    pub(super) fn is_connection(&self) -> bool {
        !matches!(self.transport, Transport::Write(_))
    }

    /// Whether the receiver connects to us.
    pub(super) fn is_listening(&self) -> bool {
        matches!(self.transport, Transport::Listen { .. })
    }

    /// Whether a connection has to be made first.
    pub(super) fn is_disconnected(&self) -> bool {
        match &self.transport {
            Transport::Connect { open, .. } | Transport::Listen { open, .. } => open.is_none(),
            Transport::Write(_) => false,
        }
    }

    /// Connects, or waits for a connection.
    pub(super) fn connect(&mut self) -> io::Result<()> {
        let (stream, open) = match &mut self.transport {
            Transport::Write(_) => return Ok(()),
            Transport::Connect { host, port, open } => (connect(host, *port)?, open),
            Transport::Listen { listener, open } => (listener.accept()?.0, open),
        };
        // Nagle's algorithm would delay small chunks; a target does not wait either.
        stream.set_nodelay(true)?;
        *open = Some(stream);
        Ok(())
    }

    /// Sends bytes. After an error, it is disconnected.
    pub(super) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.transport {
            Transport::Connect { open, .. } | Transport::Listen { open, .. } => {
                let Some(stream) = open else {
                    return Err(io::ErrorKind::NotConnected.into());
                };
                let sent = stream.write_all(bytes);
                if sent.is_err() {
                    *open = None;
                }
                sent
            }
            Transport::Write(output) => {
                output.write_all(bytes)?;
                output.flush()
            }
        }
    }

    /// Closes the connection after all sent bytes.
    pub(super) fn disconnect(&mut self) -> io::Result<()> {
        let stream = match &mut self.transport {
            Transport::Connect { open, .. } | Transport::Listen { open, .. } => open.take(),
            Transport::Write(_) => None,
        };
        match stream {
            Some(stream) => close_gracefully(stream),
            None => Ok(()),
        }
    }
}

fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// Closing at once would drop what the other side has not read yet, if it has sent
/// something itself.
fn close_gracefully(mut stream: TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(CLOSE_TIMEOUT))?;
    let mut said = [0; 4096];
    // It may send any amount.
    for _ in 0..1000 {
        match stream.read(&mut said) {
            Ok(1..) => {}
            Ok(0) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                ) =>
            {
                return Ok(());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
