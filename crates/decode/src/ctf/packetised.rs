//! The text of metadata, which packets can contain.

use std::borrow::Cow;

/// The magic number of metadata in packets.
const MAGIC: u32 = 0x75D1_1D57;

/// Magic number, UUID, checksum, content and packet size, three schemes and the version.
const HEADER_LEN: usize = 37;
const SIZES: usize = 24;
const SCHEMES: usize = 32;

/// The text; the error is the problem in words.
pub(super) fn text(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    let word = |bytes: &[u8], at: usize, is_little: bool| {
        let bytes = bytes.get(at..)?.first_chunk()?;
        Some(if is_little {
            u32::from_le_bytes(*bytes)
        } else {
            u32::from_be_bytes(*bytes)
        })
    };
    let orders = [true, false];
    let order = orders
        .into_iter()
        .find(|order| word(bytes, 0, *order) == Some(MAGIC));
    let Some(is_little) = order else {
        return Ok(Cow::Borrowed(utf8(bytes)?));
    };
    let mut all = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let offset = bytes.len() - rest.len();
        let broken = |problem: &str| format!("metadata, offset {offset:#x}: {problem}");
        if word(rest, 0, is_little) != Some(MAGIC) {
            return Err(broken("no packet"));
        }
        let sizes = [SIZES, SIZES + 4].map(|at| word(rest, at, is_little).unwrap_or(0));
        let [content, packet] = sizes.map(|bits| bits as usize / 8);
        let schemes = rest.get(SCHEMES..SCHEMES + 2).unwrap_or_default();
        if schemes.iter().any(|scheme| *scheme != 0) {
            return Err(broken("compressed or encrypted packets are not supported"));
        }
        let body = rest.get(HEADER_LEN..content);
        all.extend_from_slice(body.ok_or_else(|| broken("a packet is cut or has no content"))?);
        let next = rest.get(packet..).filter(|_| packet >= content);
        rest = next.ok_or_else(|| broken("a packet is larger than the file"))?;
    }
    Ok(Cow::Owned(utf8(&all)?.to_owned()))
}

fn utf8(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes);
    text.map_err(|error| format!("metadata: not UTF-8 at offset {:#x}", error.valid_up_to()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(content: &str, is_little: bool) -> Vec<u8> {
        let bytes = |word: u32| {
            if is_little {
                word.to_le_bytes()
            } else {
                word.to_be_bytes()
            }
        };
        let content_bits = (HEADER_LEN + content.len()) as u32 * 8;
        let mut packet = bytes(MAGIC).to_vec();
        packet.extend([0; 20]);
        packet.extend(bytes(content_bits));
        packet.extend(bytes(content_bits + 24));
        packet.extend([0, 0, 0, 1, 8]);
        packet.extend(content.as_bytes());
        packet.extend([0; 3]);
        packet
    }

    #[test]
    fn packets_are_joined() {
        for is_little in [true, false] {
            let all = [packet("/* CTF", is_little), packet(" 1.8 */", is_little)].concat();
            assert_eq!(text(&all).unwrap(), "/* CTF 1.8 */");
            assert!(text(&all[..all.len() - 5]).is_err());
        }
        assert_eq!(text(b"plain").unwrap(), "plain");
        assert!(text(b"\xFF").is_err());
    }
}
