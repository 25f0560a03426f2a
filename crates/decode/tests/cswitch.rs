//! Context-switch logs: written as the target writes them, read back.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod cswitch {
    mod damage;
    mod images;
    mod make;
    mod meanings;
    mod properties;
}
