//! Folders, object stores and web servers, by path or URL.

use anyhow::{Context as _, bail};
use bytes::Bytes;
use deltalake_core::logstore::{
    LogStore, LogStoreFactory, ObjectStoreFactory, ObjectStoreRef, StorageConfig, default_logstore,
    logstore_factories, object_store_factories,
};
use deltalake_core::{DeltaResult, Path as DeltaPath};
use futures::TryStreamExt as _;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt as _, WriteMultipart};
use std::fmt;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;
use url::Url;

/// The schemes of object stores, besides `file`.
const SCHEMES: [&str; 8] = ["s3", "s3a", "gs", "az", "azure", "abfs", "abfss", "memory"];

/// Bytes that are uploaded at a time.
const PART_BYTES: usize = 8 << 20;

/// Maximum number of parts in transfer.
const MAX_PARTS: usize = 4;

/// A place in a store: a folder or an object.
#[derive(Debug, Clone)]
pub(crate) struct Location {
    pub(crate) url: Url,
    pub(crate) store: Arc<dyn ObjectStore>,
    /// The path in the store.
    pub(crate) path: Path,
}

/// The credentials and settings of stores are those of the environment, such as
/// `AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL` or `GOOGLE_SERVICE_ACCOUNT`.
fn settings() -> impl Iterator<Item = (String, String)> {
    std::env::vars().map(|(key, value)| (key.to_ascii_lowercase(), value))
}

impl Location {
    /// The place that a path of this machine, or a URL, names.
    ///
    /// # Errors
    ///
    /// If the URL is wrong, or its store is not configured.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let url = match Url::parse(text) {
            // A drive of Windows is no scheme.
            Ok(url) if url.scheme().len() > 1 => url,
            _ => {
                let path = std::path::absolute(PathBuf::from(text))?;
                let url = Url::from_file_path(&path);
                url.ok().with_context(|| format!("{text}: not a path"))?
            }
        };
        let is_known = SCHEMES.contains(&url.scheme());
        if !is_known && !["file", "http", "https"].contains(&url.scheme()) {
            bail!(
                "{text}: unknown scheme; expected a path, s3://, gs://, az://, http:// or https://"
            );
        }
        // Whoever writes `http:` does not expect TLS.
        let plain = (url.scheme() == "http").then(|| ("allow_http".to_owned(), "true".to_owned()));
        let (store, path) = object_store::parse_url_opts(&url, settings().chain(plain))
            .with_context(|| text.to_owned())?;
        Ok(Self {
            url,
            store: Arc::from(store),
            path,
        })
    }

    /// The path on this machine, if it is one.
    pub(crate) fn local_path(&self) -> Option<PathBuf> {
        (self.url.scheme() == "file").then(|| self.url.to_file_path().ok())?
    }

    /// The place of a relative path, whose parts are separated by `/`.
    pub(crate) fn join(&self, relative: &str) -> Self {
        let relative_path = Path::from(relative);
        let parts = self.path.parts().chain(relative_path.parts());
        let mut url = self.url.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(relative.split('/'));
        }
        Self {
            url,
            store: Arc::clone(&self.store),
            path: parts.collect(),
        }
    }

    /// All objects in the folder and below it, sorted; the object itself if it is one.
    pub(crate) async fn list(&self) -> anyhow::Result<Vec<ObjectMeta>> {
        let listed = self.store.list(Some(&self.path)).try_collect().await;
        let mut objects: Vec<_> = listed.map_err(|error| self.failed(&error))?;
        if objects.is_empty() {
            objects.extend(self.store.head(&self.path).await.ok());
        }
        objects.sort_unstable_by(|one, other| one.location.cmp(&other.location));
        Ok(objects)
    }

    pub(crate) async fn read(&self) -> anyhow::Result<Bytes> {
        let read = async { self.store.get(&self.path).await?.bytes().await };
        read.await.map_err(|error| self.failed(&error))
    }

    pub(crate) async fn read_range(&self, offset: u64, length: u64) -> anyhow::Result<Bytes> {
        let range = offset..offset.saturating_add(length);
        let read = self.store.get_range(&self.path, range).await;
        read.map_err(|error| self.failed(&error))
    }

    /// Writes an object that appears when it is complete; a small one with a single request.
    pub(crate) async fn write(&self, mut from: impl std::io::Read) -> anyhow::Result<()> {
        let mut part = next_part(&mut from)?;
        if part.len() < PART_BYTES {
            let written = self.store.put(&self.path, part.into()).await;
            written.map_err(|error| self.failed(&error))?;
            return Ok(());
        }
        let upload = self.store.put_multipart(&self.path).await;
        let upload = upload.map_err(|error| self.failed(&error))?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PART_BYTES);
        while !part.is_empty() {
            upload.put(part);
            let sent = upload.wait_for_capacity(MAX_PARTS).await;
            sent.map_err(|error| self.failed(&error))?;
            part = next_part(&mut from)?;
        }
        let finished = upload.finish().await;
        finished.map_err(|error| self.failed(&error))?;
        Ok(())
    }

    pub(crate) async fn delete(&self) -> anyhow::Result<()> {
        let deleted = self.store.delete(&self.path).await;
        deleted.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &object_store::Error) -> anyhow::Error {
        use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
        let failure = StoreFailure {
            // With the causes.
            message: format!("{}: {error}", self.url),
            is_refusal: matches!(
                error,
                NotFound { .. } | PermissionDenied { .. } | Unauthenticated { .. }
            ),
        };
        failure.into()
    }
}

/// The next bytes to upload; fewer than [`PART_BYTES`] only at the end.
fn next_part(from: &mut impl std::io::Read) -> std::io::Result<Bytes> {
    let mut part = Vec::new();
    from.take(PART_BYTES as u64).read_to_end(&mut part)?;
    Ok(part.into())
}

/// Why a store did not do what was asked for.
#[derive(Debug)]
struct StoreFailure {
    message: String,
    is_refusal: bool,
}

impl fmt::Display for StoreFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for StoreFailure {}

/// Whether a store answered that it does not have an object or does not show it, so that others
/// may be read.
pub(crate) fn is_refusal(error: &anyhow::Error) -> bool {
    let failure: Option<&StoreFailure> = error.downcast_ref();
    failure.is_some_and(|failure| failure.is_refusal)
}

/// Makes the object stores known to Delta Lake.
pub(crate) fn register() {
    let factory = Arc::new(Stores);
    for scheme in SCHEMES {
        if let Ok(url) = Url::parse(&format!("{scheme}://")) {
            object_store_factories().insert(url.clone(), factory.clone());
            logstore_factories().insert(url, factory.clone());
        }
    }
}

/// The stores of [`SCHEMES`].
#[derive(Debug)]
struct Stores;

impl ObjectStoreFactory for Stores {
    fn parse_url_opts(
        &self,
        url: &Url,
        _: &StorageConfig,
    ) -> DeltaResult<(ObjectStoreRef, DeltaPath)> {
        let (store, path) = object_store::parse_url_opts(url, settings())?;
        Ok((Arc::from(store), path))
    }
}

impl LogStoreFactory for Stores {
    fn with_options(
        &self,
        prefixed_store: ObjectStoreRef,
        root_store: ObjectStoreRef,
        location: &Url,
        options: &StorageConfig,
    ) -> DeltaResult<Arc<dyn LogStore>> {
        Ok(default_logstore(
            prefixed_store,
            root_store,
            location,
            options,
        ))
    }
}
