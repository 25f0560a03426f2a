//! The kinds of sources, by the word that an address begins with.

/// A kind of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// The target connects.
    TcpListen,
    /// The target, or a program beside it, is connected to.
    Tcp,
    /// A serial port.
    Serial,
    /// A file.
    File,
    /// Standard input.
    Stdin,
    /// A debugger's server.
    Gdb,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::TcpListen,
        Self::Tcp,
        Self::Serial,
        Self::File,
        Self::Stdin,
        Self::Gdb,
    ];

    /// The one of a name, in letters of any case.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let named = |scheme: &Self| scheme.name().eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(named)
    }

    /// The word that its addresses begin with.
    pub fn name(self) -> &'static str {
        match self {
            Self::TcpListen => "tcp-listen",
            Self::Tcp => "tcp",
            Self::Serial => "serial",
            Self::File => "file",
            Self::Stdin => "stdin",
            Self::Gdb => "gdb",
        }
    }

    /// How its addresses are written.
    pub fn syntax(self) -> &'static str {
        match self {
            Self::TcpListen => "tcp-listen://[HOST]:PORT",
            Self::Tcp => "tcp://HOST:PORT",
            Self::Serial => "serial://DEVICE[?baud=NUMBER][&framing=8N1][&flow=none]",
            Self::File => "file:PATH[?follow=1]",
            Self::Stdin => "stdin:",
            Self::Gdb => {
                "gdb://HOST:PORT[?symbol=NAME|address=0x…|scan=0x…+0x…][&poll=MS][&halt=1]"
            }
        }
    }

    /// One of its addresses.
    pub fn example(self) -> &'static str {
        match self {
            Self::TcpListen => "tcp-listen://:7000",
            Self::Tcp => "tcp://localhost:19021",
            Self::Serial => "serial:///dev/ttyUSB0?baud=921600",
            Self::File => "file:trace.rkh?follow=1",
            Self::Stdin => "stdin:",
            Self::Gdb => "gdb://localhost:3333",
        }
    }
}
