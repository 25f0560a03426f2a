use std::fmt;

/// The bytes of a file, in whatever holds them, such as a mapping.
pub(crate) struct FileBytes(Box<dyn AsRef<[u8]> + Send + Sync>);

impl FileBytes {
    pub(crate) fn new(holder: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self(Box::new(holder))
    }

    pub(crate) fn get(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.get().len())
    }
}
