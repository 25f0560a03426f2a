//! Packets of the Instrumentation Trace Macrocell (Armv7-M Architecture Reference
//! Manual, D4), as they leave a target through its SWO pin.

/// Extracts the bytes that a target wrote to one stimulus port.
#[derive(Debug)]
pub struct ItmDecoder {
    stimulus: u8,
    state: ItmState,
    overflows: u64,
}

/// Where the decoder is in a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ItmState {
    /// At a header.
    Header,
    /// In zeros, which precede a synchronisation.
    Zeros,
    /// In the payload of a source packet: bytes left, and whether they are the port's.
    Payload { left: u8, is_port: bool },
    /// In a packet that ends with the first byte below 0x80, after at most this many.
    Continued { left: u8 },
}

/// Headers of packets.
const OVERFLOW: u8 = 0x70;

/// The bit of a source that is hardware, not a stimulus port.
const HARDWARE: u8 = 0x04;

/// The bit of a byte that another one follows.
const CONTINUES: u8 = 0x80;

/// Maximum number of bytes after a header with [`CONTINUES`].
const MAX_CONTINUED: u8 = 6;

impl ItmDecoder {
    /// Decodes the bytes of a stimulus port, 0 to 31.
    pub fn new(stimulus: u8) -> Self {
        Self {
            stimulus,
            state: ItmState::Header,
            overflows: 0,
        }
    }

    /// Number of overflow packets so far: each stands for at least one lost packet.
    pub fn overflows(&self) -> u64 {
        self.overflows
    }

    /// Decodes received bytes, and appends those of the port to `bytes`.
    pub fn decode(&mut self, received: &[u8], bytes: &mut Vec<u8>) {
        for &byte in received {
            self.state = match self.state {
                ItmState::Payload { left, is_port } => {
                    if is_port {
                        bytes.push(byte);
                    }
                    match left {
                        0 | 1 => ItmState::Header,
                        _ => ItmState::Payload {
                            left: left - 1,
                            is_port,
                        },
                    }
                }
                ItmState::Continued { left } if byte & CONTINUES != 0 && left > 1 => {
                    ItmState::Continued { left: left - 1 }
                }
                ItmState::Continued { .. } => ItmState::Header,
                ItmState::Zeros if byte == 0 => ItmState::Zeros,
                // The last bit of a synchronisation.
                ItmState::Zeros if byte == CONTINUES => ItmState::Header,
                ItmState::Zeros | ItmState::Header => self.header(byte),
            };
        }
    }

    fn header(&mut self, byte: u8) -> ItmState {
        let size = byte & 3;
        match byte {
            0 => ItmState::Zeros,
            OVERFLOW => {
                self.overflows += 1;
                ItmState::Header
            }
            _ if size != 0 => ItmState::Payload {
                left: 1 << (size - 1),
                is_port: byte & HARDWARE == 0 && byte >> 3 == self.stimulus,
            },
            // Timestamps and extensions.
            _ if byte & CONTINUES != 0 => ItmState::Continued {
                left: MAX_CONTINUED,
            },
            _ => ItmState::Header,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(port: u8, received: &[u8], piece: usize) -> (Vec<u8>, u64) {
        let mut decoder = ItmDecoder::new(port);
        let mut bytes = Vec::new();
        for piece in received.chunks(piece) {
            decoder.decode(piece, &mut bytes);
        }
        (bytes, decoder.overflows())
    }

    /// A synchronisation, two ports, timestamps of all kinds, an extension, a sample of
    /// the program counter, an overflow.
    const TRACE: &[u8] = &[
        0, 0, 0, 0, 0, 0x80, // synchronisation
        0x03, b'C', b'S', b'W', b'L', // port 0, four bytes
        0x30, // local timestamp in one byte
        0x09, b'x', // port 1
        0xC0, 0xFF, 0x05, // local timestamp
        0x02, 1, 2, // port 0, two bytes
        0x94, 0x81, 0x82, 0x03, // global timestamp
        0x88, 0x07, // extension with a second byte
        0x08, // extension
        0x17, 0, 0, 0, 8,    // program counter
        0x70, // overflow
        0x01, b'!', // port 0
        0x0A, b'y', b'z', // port 1, two bytes
    ];

    #[test]
    fn ports_are_separated() {
        for piece in [1, 3, TRACE.len()] {
            assert_eq!(decode(0, TRACE, piece), (b"CSWL\x01\x02!".to_vec(), 1));
            assert_eq!(decode(1, TRACE, piece), (b"xyz".to_vec(), 1));
            assert_eq!(decode(2, TRACE, piece), (Vec::new(), 1));
        }
    }

    #[test]
    fn zeros_in_a_payload_are_data() {
        let trace = [0x03, 0, 0, 0, 0, 0x03, 0, 0, 0, 0x80, 0x01, 0];
        assert_eq!(decode(0, &trace, 1).0, [0, 0, 0, 0, 0, 0, 0, 0x80, 0]);
    }
}
