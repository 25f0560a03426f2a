//! Error messages.

/// Implements `Display` for an error, with a message for each variant that may contain the
/// variant's fields, and `core::error::Error` with the feature `error`.
macro_rules! messages {
    ($error:ident {
        $($variant:ident $({ $($field:ident),+ })? => $message:literal,)+
    }) => {
        impl core::fmt::Display for $error {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match *self {
                    $(Self::$variant $({ $($field,)+ .. })? => write!(formatter, $message),)+
                }
            }
        }

        #[cfg(feature = "error")]
        impl core::error::Error for $error {}
    };
}

pub(crate) use messages;

#[cfg(test)]
mod tests {
    use crate::WireError;
    use crate::rkh::config::ConfigurationError;
    use crate::rkh::user::ItemError;
    use std::string::ToString;

    #[test]
    fn errors_have_messages() {
        let short = WireError::TooShort {
            structure: "a control header",
            needed: 48,
            available: 4,
        };
        let message = "a control header takes 48 bytes, but only 4 are available";
        assert_eq!(short.to_string(), message);
        let format = ItemError::UnknownFormat {
            offset: 2,
            byte: 0x0C,
        };
        let message = "byte 2 of the items is 0x0c, which is not an item format";
        assert_eq!(format.to_string(), message);
        let key = ConfigurationError::UnknownKey.to_string();
        assert_eq!(key, "unknown setting of an RKH trace");
    }

    #[cfg(feature = "error")]
    #[test]
    fn errors_can_be_sources() {
        let error: &dyn core::error::Error = &ItemError::TooShort { offset: 3 };
        assert!(error.is::<ItemError>());
        assert!(error.source().is_none());
    }
}
