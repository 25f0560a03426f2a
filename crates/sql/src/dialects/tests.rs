//! Everything that rtoscope has is translated.
