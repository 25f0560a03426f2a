//! `rtoscope view`: traces in the browser.

use crate::input::{self, DecodeArguments, FileArguments, FilesArguments};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rtoscope_decode::Recording;
use rtoscope_server::{HostName, Notes, Server, Settings, Token};
use rtoscope_session::Session;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    files: FilesArguments,

    /// The port; any that is free if not given
    #[arg(long, value_name = "NUMBER", help_heading = "Server")]
    port: Option<u16>,

    /// The address to listen on, with or without a port; one that other
    /// machines reach, such as 0.0.0.0, needs the token in the printed address
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1",
        value_parser = address,
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
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Server")]
    max_upload: Option<u64>,

    /// Do not open the browser
    #[arg(long, help_heading = "Server")]
    no_open: bool,

    #[command(flatten)]
    decode: DecodeArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let server = Server::bind(arguments.settings()?)?;
    let files: Vec<_> = arguments.files.each().collect();
    for file in &files {
        let namesakes = files.iter().filter(|other| other.title() == file.title());
        let name = match namesakes.count() {
            1 => file.title(),
            _ => file.name(),
        };
        let recording = decode(file, &arguments.decode)?;
        let notes = file.path().map(Notes::beside);
        server.add_later(name.clone(), move || analyse(name, recording, notes))?;
    }
    let mut printed = Ok(());
    server.run(|url| {
        printed = announce(url);
        if !arguments.no_open
            && let Err(error) = open::that_detached(url)
        {
            anstream::eprintln!("rtoscope: cannot open the browser ({error}); open {url}");
        }
    })?;
    Ok(printed?)
}

impl Arguments {
    fn settings(&self) -> anyhow::Result<Settings> {
        let (address, port) = self.listen;
        if port.is_some() && self.port.is_some() {
            anyhow::bail!("the port is given twice, with --port and with --listen");
        }
        let mut settings = Settings {
            address: SocketAddr::new(address, port.or(self.port).unwrap_or(0)),
            token: self.token.clone(),
            hosts: self.hosts.clone(),
            options: self.decode.options(None)?,
            ..Settings::default()
        };
        if let Some(bytes) = self.max_upload {
            settings.max_upload = bytes;
        }
        Ok(settings)
    }
}

/// A recording without the bytes it was made from.
fn decode(file: &FileArguments, options: &DecodeArguments) -> anyhow::Result<Recording> {
    let bar = progress(&file.name());
    let source = file.read()?;
    let recording = file.decode(&file.open(source.input())?, options)?;
    bar.finish_and_clear();
    Ok(recording)
}

fn analyse(
    name: String,
    recording: Recording,
    mut notes: Option<Notes>,
) -> (Session, Option<Notes>) {
    let mut session = Session::new(name, recording);
    if let Some(notes) = &mut notes
        && let Err(error) = notes.load(&mut session)
    {
        anstream::eprintln!("rtoscope: these notes are left aside: {error}");
    }
    (session, notes)
}

/// Alone on standard output, so that programs can read it.
fn announce(url: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{url}")?;
    output.flush()
}

/// Shown only on a terminal, after a second.
fn progress(name: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(name.to_owned());
    if let Ok(style) = ProgressStyle::with_template("opening {wide_msg} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// An address, or an address and a port.
fn address(text: &str) -> Result<(IpAddr, Option<u16>), String> {
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

/// Bytes, in powers of 1024 where a letter says so.
fn size(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 100000000, 500MB or 2GB".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    let bare = lower.strip_suffix('b').unwrap_or(&lower);
    let bare = bare.strip_suffix('i').unwrap_or(bare);
    let (digits, factor) = match bare.char_indices().next_back() {
        Some((at, 'k')) => (&bare[..at], 1 << 10),
        Some((at, 'm')) => (&bare[..at], 1 << 20),
        Some((at, 'g')) => (&bare[..at], 1 << 30),
        _ => (bare, 1),
    };
    let bytes = input::number(digits.trim_end())?.checked_mul(factor);
    bytes.filter(|bytes| *bytes > 0).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_may_have_a_port() {
        let read = |text| address(text).map(|(address, port)| (address.to_string(), port));
        assert_eq!(read("0.0.0.0"), Ok(("0.0.0.0".to_owned(), None)));
        assert_eq!(read("10.0.0.7:80"), Ok(("10.0.0.7".to_owned(), Some(80))));
        assert_eq!(read("::1"), Ok(("::1".to_owned(), None)));
        assert_eq!(read("[::1]"), Ok(("::1".to_owned(), None)));
        assert_eq!(read("[::1]:7070"), Ok(("::1".to_owned(), Some(7070))));
        for bad in ["", "localhost", "0.0.0.0:", "0.0.0.0:99999", "[::1", ":80"] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("10 kB"), Ok(10 << 10));
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        for bad in ["", "0", "B", "-1", "1TB", "99999999999GB", "1.5GB"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
