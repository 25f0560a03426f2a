//! Kinds of sources and their schemes.

/// A kind of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// The target connects.
    TcpListen,
    /// rtoscope connects to the target, or to a program beside it.
    Tcp,
    /// The target sends datagrams.
    Udp,
    /// rtoscope connects to a server of RTT channels.
    Rtt,
    /// rtoscope connects to a server of SWO.
    Swo,
    /// A serial port.
    Serial,
    /// A file.
    File,
    /// Standard input.
    Stdin,
    /// A GDB server.
    Gdb,
}

impl Scheme {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::TcpListen,
        Self::Tcp,
        Self::Udp,
        Self::Rtt,
        Self::Swo,
        Self::Serial,
        Self::File,
        Self::Stdin,
        Self::Gdb,
    ];

    /// The kind with this scheme, in any case.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let named = |scheme: &Self| scheme.name().eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(named)
    }

    /// The scheme.
    pub fn name(self) -> &'static str {
        match self {
            Self::TcpListen => "tcp-listen",
            Self::Tcp => "tcp",
            Self::Udp => "udp",
            Self::Rtt => "rtt",
            Self::Swo => "swo",
            Self::Serial => "serial",
            Self::File => "file",
            Self::Stdin => "stdin",
            Self::Gdb => "gdb",
        }
    }

    /// Whether bytes can be sent to the target, such as answers and commands. A GDB
    /// server takes them only for a target with RTT.
    pub fn is_writable(self) -> bool {
        match self {
            Self::TcpListen | Self::Tcp | Self::Udp | Self::Rtt | Self::Serial | Self::Gdb => true,
            Self::Swo | Self::File | Self::Stdin => false,
        }
    }

    /// The syntax of its addresses.
    pub fn syntax(self) -> &'static str {
        match self {
            Self::TcpListen => "tcp-listen://[HOST]:PORT",
            Self::Tcp => "tcp://HOST:PORT",
            Self::Udp => "udp://[HOST]:PORT",
            Self::Rtt => "rtt://HOST:PORT[?channel=NUMBER]",
            Self::Swo => "swo://HOST:PORT[?stimulus=NUMBER]",
            Self::Serial => "serial://DEVICE[?baud=NUMBER][&framing=8N1][&flow=none]",
            Self::File => "file:PATH[?follow=1]",
            Self::Stdin => "stdin:",
            Self::Gdb => {
                "gdb://HOST:PORT[?symbol=NAME|address=0x…|scan=0x…+0x…][&channel=NUMBER]\
                 [&poll=MS][&halt=1]"
            }
        }
    }

    /// An example address.
    pub fn example(self) -> &'static str {
        match self {
            Self::TcpListen => "tcp-listen://:7000",
            Self::Tcp => "tcp://192.168.1.20:7000",
            Self::Udp => "udp://:7000",
            Self::Rtt => "rtt://localhost:19021",
            Self::Swo => "swo://localhost:3443",
            Self::Serial => "serial:///dev/ttyUSB0?baud=921600",
            Self::File => "file:trace.bin?follow=1",
            Self::Stdin => "stdin:",
            Self::Gdb => "gdb://localhost:3333",
        }
    }
}
