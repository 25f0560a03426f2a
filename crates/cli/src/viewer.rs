//! The server of the viewer, as the user wants it.

use clap::Args;
use rtoscope_command::input::{DecodeArgs, parse_size};
use rtoscope_server::{HostName, Server, ServerError, ServerOptions, Token};
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::ops::Range;

/// Where and for whom the viewer is served.
#[derive(Args)]
pub(crate) struct ViewerArgs {
    /// The port of the viewer; 0 for any that is free. If not given, the same files
    /// or source get the same port each time, or the next one that is free
    #[arg(long, value_name = "NUMBER", help_heading = "Server")]
    port: Option<u16>,

    /// The address on which the viewer is served, with or without a port; one
    /// that other machines reach, such as 0.0.0.0, needs the token in the
    /// printed address
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1",
        value_parser = parse_listen_address,
        help_heading = "Server"
    )]
    listen: (IpAddr, Option<u16>),

    /// The token that requests need, instead of a random one: at least 16
    /// letters, digits, -, _, . or ~
    #[arg(long, help_heading = "Server")]
    token: Option<Token>,

    /// A name by which browsers reach this machine, such as scope.lan; can be
    /// given several times
    #[arg(long = "host", value_name = "NAME", help_heading = "Server")]
    hosts: Vec<HostName>,

    /// How large a file may be that is dropped on the page: bytes, 500MB, 2GB;
    /// 1GB if not given
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "Server")]
    max_upload: Option<u64>,

    /// Do not open the browser
    #[arg(long, help_heading = "Server")]
    no_open: bool,
}

impl ViewerArgs {
    /// Takes the port. `source` names what is shown: the same source gets the same
    /// port, so that a page that is still open finds a restarted command again.
    pub(crate) fn bind(&self, decode: &DecodeArgs, source: &str) -> anyhow::Result<Server> {
        let settings = self.server_settings(decode)?;
        if self.listen.1.or(self.port).is_some() {
            return Ok(Server::bind(settings)?);
        }
        for port in default_ports(source) {
            let address = SocketAddr::new(settings.address.ip(), port);
            let candidate = ServerOptions {
                address,
                ..settings.clone()
            };
            match Server::bind(candidate) {
                Err(ServerError::Listen { source, .. }) if is_port_in_use(&source) => (),
                other => return Ok(other?),
            }
        }
        Ok(Server::bind(settings)?)
    }

    /// Serves until the user ends it.
    pub(crate) fn run(&self, server: Server) -> anyhow::Result<()> {
        let mut printed = Ok(());
        server.run(|url| {
            printed = print_url(url);
            if !self.no_open
                && let Err(error) = open::that_detached(url)
            {
                rtoscope_command::message!("cannot open the browser ({error}); open {url}");
            }
        })?;
        Ok(printed?)
    }

    fn server_settings(&self, decode: &DecodeArgs) -> anyhow::Result<ServerOptions> {
        let (address, port) = self.listen;
        if port.is_some() && self.port.is_some() {
            anyhow::bail!("the port is given twice, with --port and with --listen");
        }
        let mut settings = ServerOptions {
            address: SocketAddr::new(address, port.or(self.port).unwrap_or(0)),
            token: self.token.clone(),
            hosts: self.hosts.clone(),
            decode_options: decode.options(None)?,
            ..ServerOptions::default()
        };
        if let Some(bytes) = self.max_upload {
            settings.max_upload = bytes;
        }
        Ok(settings)
    }
}

/// The ports that are tried for a source. Systems hand out none of these to
/// programs that want any.
const DEFAULT_PORTS: Range<u16> = 20_000..30_000;
/// How many of them are tried before any that is free is taken.
const MAX_PORT_ATTEMPTS: usize = 50;

/// The ports for a source, the first one by its hash (FNV-1a), then those after it.
fn default_ports(source: &str) -> impl Iterator<Item = u16> + use<> {
    let hash = source
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let count = u64::from(DEFAULT_PORTS.end - DEFAULT_PORTS.start);
    let first = (hash % count) as usize;
    DEFAULT_PORTS.cycle().skip(first).take(MAX_PORT_ATTEMPTS)
}

/// Whether another program has the port, or the system keeps it.
fn is_port_in_use(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied
    )
}

/// Alone on a line of standard output, so that programs can read it.
fn print_url(url: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{url}")?;
    output.flush()
}

/// An address, or an address and a port.
fn parse_listen_address(text: &str) -> Result<(IpAddr, Option<u16>), String> {
    if let Ok(both) = text.parse::<SocketAddr>() {
        return Ok((both.ip(), Some(both.port())));
    }
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let address = bare.unwrap_or(text).parse();
    address.map(|address| (address, None)).map_err(|_| {
        "expected an IP address such as 0.0.0.0, 0.0.0.0:7070 or [::1]:7070".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_its_ports() {
        let ports = |source| default_ports(source).collect::<Vec<_>>();
        assert_eq!(ports("/tmp/one.trx"), ports("/tmp/one.trx"));
        assert_ne!(ports("/tmp/one.trx")[0], ports("/tmp/two.trx")[0]);
        for source in ["", "a", "/tmp/one.trx", "tcp-listen://0.0.0.0:7"] {
            let ports = ports(source);
            assert_eq!(ports.len(), MAX_PORT_ATTEMPTS);
            assert!(ports.iter().all(|port| DEFAULT_PORTS.contains(port)));
        }
        // Kept for good: pages and bookmarks of browsers have it.
        assert_eq!(
            ports("")[0],
            20_000 + (0xcbf2_9ce4_8422_2325_u64 % 10_000) as u16
        );
    }

    #[test]
    fn addresses_may_have_a_port() {
        let read =
            |text| parse_listen_address(text).map(|(address, port)| (address.to_string(), port));
        assert_eq!(read("0.0.0.0"), Ok(("0.0.0.0".to_owned(), None)));
        assert_eq!(read("10.0.0.7:80"), Ok(("10.0.0.7".to_owned(), Some(80))));
        assert_eq!(read("::1"), Ok(("::1".to_owned(), None)));
        assert_eq!(read("[::1]"), Ok(("::1".to_owned(), None)));
        assert_eq!(read("[::1]:7070"), Ok(("::1".to_owned(), Some(7070))));
        for bad in ["", "localhost", "0.0.0.0:", "0.0.0.0:99999", "[::1", ":80"] {
            assert!(parse_listen_address(bad).is_err(), "{bad}");
        }
    }
}
