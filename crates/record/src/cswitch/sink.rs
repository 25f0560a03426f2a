/// The destination of a sequentially written file: a serial line, a flash page, a socket.
/// Closures that take bytes implement it.
pub trait ByteSink {
    /// Takes the next bytes.
    fn write(&mut self, bytes: &[u8]);
}

impl<F: FnMut(&[u8])> ByteSink for F {
    fn write(&mut self, bytes: &[u8]) {
        self(bytes);
    }
}
