/// CRC-32 of Ethernet and zlib: polynomial 0x04C11DB7, reflected, initial value and final
/// XOR all ones. It processes half a byte at a time, because a small target can spare a
/// table of 64 bytes, but not one of 1 KiB.
#[derive(Debug, Clone, Copy)]
pub struct Crc32(u32);

/// The reflected polynomial.
const POLYNOMIAL: u32 = 0xEDB8_8320;

const TABLE: [u32; 16] = table();

const fn table() -> [u32; 16] {
    let mut table = [0; 16];
    let mut number = 0;
    while number < 16 {
        let mut value = number as u32;
        let mut bit = 0;
        while bit < 4 {
            value = (value >> 1) ^ (POLYNOMIAL * (value & 1));
            bit += 1;
        }
        table[number] = value;
        number += 1;
    }
    table
}

impl Crc32 {
    /// The checksum of no bytes.
    pub const fn new() -> Self {
        Self(!0)
    }

    /// Adds `bytes` to the checksum.
    pub fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 ^= u32::from(*byte);
            for _ in 0..2 {
                self.0 = (self.0 >> 4) ^ TABLE[(self.0 & 0xF) as usize];
            }
        }
    }

    /// The checksum of all bytes added so far.
    pub const fn value(self) -> u32 {
        !self.0
    }
}

impl Default for Crc32 {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Crc32;
    use proptest::prelude::*;
    use std::vec::Vec;

    #[test]
    fn has_the_published_check_value() {
        let mut sum = Crc32::new();
        sum.update(b"1234");
        sum.update(b"56789");
        assert_eq!(sum.value(), 0xCBF4_3926);
        assert_eq!(Crc32::new().value(), 0);
    }

    proptest! {
        /// Hosts check with `crc32fast` what targets compute.
        #[test]
        fn equals_the_hosts_checksum(parts: Vec<Vec<u8>>) {
            let mut sum = Crc32::new();
            parts.iter().for_each(|part| sum.update(part));
            prop_assert_eq!(sum.value(), crc32fast::hash(&parts.concat()));
        }
    }
}
