/// Where a file goes, from its first byte to its last: a serial line, a flash
/// page, a socket. Closures that take bytes are sinks.
pub trait ByteSink {
    /// Takes the next bytes.
    fn write(&mut self, bytes: &[u8]);
}

impl<F: FnMut(&[u8])> ByteSink for F {
    fn write(&mut self, bytes: &[u8]) {
        self(bytes);
    }
}
