//! What errors say.

/// Implements `Display` for an error: a message for each of its variants, with
/// the variant's fields in it; and `core::error::Error`, with the feature `error`.
macro_rules! messages {
    ($error:ident {
        $($variant:ident $({ $($field:ident),+ })? => $message:literal,)+
    }) => {
        impl core::fmt::Display for $error {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match *self {
                    $(Self::$variant $({ $($field),+ })? => write!(formatter, $message),)+
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
    fn errors_say_what_is_wrong() {
        let short = WireError::TooShort {
            what: "a control header",
            needed: 48,
            available: 4,
        };
        let message = "a control header takes 48 bytes, but only 4 are there";
        assert_eq!(short.to_string(), message);
        let form = ItemError::UnknownFormat {
            offset: 2,
            byte: 0x0C,
        };
        let message = "byte 2 of the items is 0x0c, which is no form of an item";
        assert_eq!(form.to_string(), message);
        let key = ConfigurationError::UnknownKey.to_string();
        assert_eq!(key, "there is no such setting of an RKH trace");
    }

    #[cfg(feature = "error")]
    #[test]
    fn errors_can_be_sources() {
        let error: &dyn core::error::Error = &ItemError::TooShort { offset: 3 };
        assert!(error.is::<ItemError>());
        assert!(error.source().is_none());
    }
}
