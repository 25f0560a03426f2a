//! The viewer's server and its command-line options.

use crate::companion;
use anyhow::Context as _;
use clap::Args;
use rtoscope_command::input::{DecodeArgs, GivenDecodeOptions, parse_size};
use rtoscope_server::{
    HostName, InvalidToken, Server, ServerError, ServerOptions, SqlOptions, Token,
};
use rtoscope_trace::printable::Printable;
use std::env;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::net::{IpAddr, SocketAddr};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The options of the viewer's server.
#[derive(Args)]
pub(crate) struct ViewerArgs {
    /// Port of the viewer; 0 for any free port
    ///
    /// By default the same files or source get the same port each time, or the next free one.
    #[arg(long, value_name = "NUMBER", help_heading = "Viewer")]
    port: Option<u16>,

    /// Listen address of the viewer, with or without a port
    ///
    /// An address that other machines reach, such as 0.0.0.0, requires the token in the printed
    /// URL.
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1",
        value_parser = parse_listen_address,
        help_heading = "Viewer"
    )]
    listen: (IpAddr, Option<u16>),

    /// File with the token for requests, instead of a random one
    ///
    /// At least 16 letters, digits, -, _, . or ~. Without this option, the environment variable
    /// RTOSCOPE_TOKEN can set it.
    #[arg(long, value_name = "FILE", help_heading = "Viewer")]
    token_file: Option<PathBuf>,

    /// Host name by which browsers reach this machine; repeatable
    #[arg(long = "host", value_name = "NAME", help_heading = "Viewer")]
    hosts: Vec<HostName>,

    /// Maximum size of a file dropped on the page [default: 1GB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "Viewer")]
    max_upload: Option<u64>,

    /// Do not open the browser
    #[arg(long, help_heading = "Viewer")]
    no_open: bool,
}

impl ViewerArgs {
    /// Binds the port. `source` identifies what is shown: the same source gets the
    /// same port, so that an open page reconnects after the command restarts.
    pub(crate) fn bind(
        &self,
        decode: &DecodeArgs,
        given: &GivenDecodeOptions,
        source: &str,
    ) -> anyhow::Result<Server> {
        let settings = self.server_settings(decode, given)?;
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

    /// Serves until the user stops the command. The page shows the view at `fragment`, if it is
    /// not empty.
    pub(crate) fn run(&self, server: Server, fragment: &str) -> anyhow::Result<()> {
        let mut printed = Ok(());
        server.run(|url| {
            let url = match fragment {
                "" => url.to_owned(),
                fragment => format!("{url}#{fragment}"),
            };
            printed = print_url(&url);
            if !self.no_open
                && let Err(error) = open::that_detached(&url)
            {
                rtoscope_command::message!("cannot open the browser ({error}); open {url}");
            }
        })?;
        Ok(printed?)
    }

    /// The token that the user set. It is no option, because other users see the arguments of
    /// a process.
    fn token(&self) -> anyhow::Result<Option<Token>> {
        if let Some(path) = &self.token_file {
            let shown = Printable::path(path).to_string();
            return read_token(path).context(shown).map(Some);
        }
        let Some(text) = env::var_os(TOKEN_VARIABLE) else {
            return Ok(None);
        };
        let token = text.to_str().ok_or(InvalidToken).and_then(str::parse);
        token.context(TOKEN_VARIABLE).map(Some)
    }

    fn server_settings(
        &self,
        decode: &DecodeArgs,
        given: &GivenDecodeOptions,
    ) -> anyhow::Result<ServerOptions> {
        let (address, port) = self.listen;
        if port.is_some() && self.port.is_some() {
            anyhow::bail!("--port and --listen both set the port");
        }
        let uploads = decode.for_other_recordings();
        let mut settings = ServerOptions {
            address: SocketAddr::new(address, port.or(self.port).unwrap_or(0)),
            token: self.token()?,
            hosts: self.hosts.clone(),
            decode_options: uploads.options(None)?,
            given_clock: uploads.given_clock(),
            sql: sql_options(given),
            ..ServerOptions::default()
        };
        if let Some(bytes) = self.max_upload {
            settings.max_upload = bytes;
        }
        Ok(settings)
    }
}

/// The environment variable with the token.
const TOKEN_VARIABLE: &str = "RTOSCOPE_TOKEN";

/// Maximum number of bytes read from the file of a token: more than any token has.
const MAX_TOKEN_FILE_BYTES: u64 = 4096;

/// Reads a token, which may end with line ends.
fn read_token(path: &Path) -> anyhow::Result<Token> {
    let mut text = Vec::new();
    let file = File::open(path)?;
    file.take(MAX_TOKEN_FILE_BYTES).read_to_end(&mut text)?;
    let text = String::from_utf8(text).map_err(|_| InvalidToken)?;
    Ok(text.trim_end().parse()?)
}

/// SQL queries of the page run in the companion program.
fn sql_options(given: &GivenDecodeOptions) -> SqlOptions {
    let mut options = SqlOptions::new(|| {
        let mut command = companion::SQL
            .command()
            .map_err(|error| error.to_string())?;
        command.arg("serve");
        Ok(command)
    });
    options.upload_options = given.for_other_recordings().general_arguments();
    options
}

/// The default ports. Operating systems do not use them as ephemeral ports.
const DEFAULT_PORTS: Range<u16> = 20_000..30_000;
/// The number of ports tried before falling back to any free port.
const MAX_PORT_ATTEMPTS: usize = 50;

/// The ports for a source: the first by its FNV-1a hash, then the following ones.
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

/// Whether the port is in use or reserved.
fn is_port_in_use(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied
    )
}

/// Prints the URL alone on a line of standard output, for programs that read it.
fn print_url(url: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{url}")?;
    output.flush()
}

/// Parses an address, with an optional port.
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
    fn default_ports_depend_on_the_source() {
        let ports = |source| default_ports(source).collect::<Vec<_>>();
        assert_eq!(ports("/tmp/one.trx"), ports("/tmp/one.trx"));
        assert_ne!(ports("/tmp/one.trx")[0], ports("/tmp/two.trx")[0]);
        for source in ["", "a", "/tmp/one.trx", "tcp-listen://0.0.0.0:7"] {
            let ports = ports(source);
            assert_eq!(ports.len(), MAX_PORT_ATTEMPTS);
            assert!(ports.iter().all(|port| DEFAULT_PORTS.contains(port)));
        }
        // This value must never change: open pages and bookmarks depend on it.
        assert_eq!(
            ports("")[0],
            20_000 + (0xcbf2_9ce4_8422_2325_u64 % 10_000) as u16
        );
    }

    #[test]
    fn listen_addresses_accept_a_port() {
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
