//! Named values of ThreadX and its companions.
//!
//! References: `tx_api.h` of ThreadX 6.4, `fx_api.h` of FileX, `nx_api.h` and
//! `nx_packet.h` of NetX Duo.

use rtoscope_trace::catalogue::{Meaning, NamedValues, UnnamedFormat};

/// The state of a thread (`tx_api.h`, `TX_READY` to `TX_PRIORITY_CHANGE`).
static THREAD_STATE: NamedValues = NamedValues {
    name: "thread-state",
    bits: false,
    values: &[
        (0, "ready"),
        (1, "completed"),
        (2, "terminated"),
        (3, "suspended"),
        (4, "sleeping"),
        (5, "queue"),
        (6, "semaphore"),
        (7, "event flags"),
        (8, "block pool"),
        (9, "byte pool"),
        (10, "I/O driver"),
        (11, "file"),
        (12, "TCP/IP"),
        (13, "mutex"),
        (14, "priority change"),
    ],
    unnamed: UnnamedFormat::Number,
};

/// The maximum wait of a call. `TX_WAIT_FOREVER` has this value on targets with
/// 8-byte words as well.
static WAIT_OPTION: NamedValues = NamedValues {
    name: "wait-option",
    bits: false,
    values: &[(0, "TX_NO_WAIT"), (0xFFFF_FFFF, "TX_WAIT_FOREVER")],
    unnamed: UnnamedFormat::Ticks,
};

/// How `tx_event_flags_get` waits for flags and whether it clears them.
static FLAGS_GET_OPTION: NamedValues = NamedValues {
    name: "flags-get-option",
    bits: false,
    values: &[
        (0, "TX_OR"),
        (1, "TX_OR_CLEAR"),
        (2, "TX_AND"),
        (3, "TX_AND_CLEAR"),
    ],
    unnamed: UnnamedFormat::Hex,
};

/// How `tx_event_flags_set` combines flags with the current ones.
static FLAGS_SET_OPTION: NamedValues = NamedValues {
    name: "flags-set-option",
    bits: false,
    values: &[(0, "TX_OR"), (2, "TX_AND")],
    unnamed: UnnamedFormat::Hex,
};

/// `TX_FALSE` and `TX_TRUE`.
static BOOLEAN: NamedValues = NamedValues {
    name: "boolean",
    bits: false,
    values: &[(0, "no"), (1, "yes")],
    unnamed: UnnamedFormat::Number,
};

/// Whether a mutex gives its owner the priority of its waiters.
static INHERITANCE: NamedValues = NamedValues {
    name: "inheritance",
    bits: false,
    values: &[(0, "TX_NO_INHERIT"), (1, "TX_INHERIT")],
    unnamed: UnnamedFormat::Number,
};

/// State of a TCP socket (`nx_api.h`, `NX_TCP_CLOSED` to `NX_TCP_LAST_ACK`).
static TCP_STATE: NamedValues = NamedValues {
    name: "tcp-state",
    bits: false,
    values: &[
        (1, "CLOSED"),
        (2, "LISTEN"),
        (3, "SYN SENT"),
        (4, "SYN RECEIVED"),
        (5, "ESTABLISHED"),
        (6, "CLOSE WAIT"),
        (7, "FIN WAIT 1"),
        (8, "FIN WAIT 2"),
        (9, "CLOSING"),
        (10, "TIMED WAIT"),
        (11, "LAST ACK"),
    ],
    unnamed: UnnamedFormat::Number,
};

/// The readiness of an IP instance (`nx_api.h`, from `NX_IP_INITIALIZE_DONE`
/// on).
static IP_STATUS: NamedValues = NamedValues {
    name: "ip-status",
    bits: true,
    values: &[
        (0x001, "NX_IP_INITIALIZE_DONE"),
        (0x002, "NX_IP_ADDRESS_RESOLVED"),
        (0x004, "NX_IP_LINK_ENABLED"),
        (0x008, "NX_IP_ARP_ENABLED"),
        (0x010, "NX_IP_UDP_ENABLED"),
        (0x020, "NX_IP_TCP_ENABLED"),
        (0x040, "NX_IP_IGMP_ENABLED"),
        (0x080, "NX_IP_RARP_COMPLETE"),
        (0x100, "NX_IP_INTERFACE_LINK_ENABLED"),
    ],
    unnamed: UnnamedFormat::Hex,
};

/// Commands to a network driver (`nx_api.h`, `NX_LINK_...`).
static DRIVER_COMMAND: NamedValues = NamedValues {
    name: "driver-command",
    bits: false,
    values: &[
        (0, "NX_LINK_PACKET_SEND"),
        (1, "NX_LINK_INITIALIZE"),
        (2, "NX_LINK_ENABLE"),
        (3, "NX_LINK_DISABLE"),
        (4, "NX_LINK_PACKET_BROADCAST"),
        (5, "NX_LINK_ARP_SEND"),
        (6, "NX_LINK_ARP_RESPONSE_SEND"),
        (7, "NX_LINK_RARP_SEND"),
        (8, "NX_LINK_MULTICAST_JOIN"),
        (9, "NX_LINK_MULTICAST_LEAVE"),
        (10, "NX_LINK_GET_STATUS"),
        (11, "NX_LINK_GET_SPEED"),
        (12, "NX_LINK_GET_DUPLEX_TYPE"),
        (13, "NX_LINK_GET_ERROR_COUNT"),
        (14, "NX_LINK_GET_RX_COUNT"),
        (15, "NX_LINK_GET_TX_COUNT"),
        (16, "NX_LINK_GET_ALLOC_ERRORS"),
        (17, "NX_LINK_UNINITIALIZE"),
        (18, "NX_LINK_DEFERRED_PROCESSING"),
        (19, "NX_LINK_INTERFACE_ATTACH"),
        (20, "NX_LINK_SET_PHYSICAL_ADDRESS"),
    ],
    unnamed: UnnamedFormat::Number,
};

/// The queue word of a packet (`nx_packet.h`); other values are the address of
/// the next packet of a queue.
static PACKET_STATUS: NamedValues = NamedValues {
    name: "packet-status",
    bits: false,
    values: &[
        (0xFFFF_FFFF, "NX_PACKET_FREE"),
        (0xAAAA_AAAA, "NX_PACKET_ALLOCATED"),
        (0xEEEE_EEEE, "NX_PACKET_ENQUEUED"),
        (0xBBBB_BBBB, "NX_PACKET_READY"),
    ],
    unnamed: UnnamedFormat::Hex,
};

/// Attributes of a file or directory (`fx_api.h`, from `FX_READ_ONLY` on).
static FILE_ATTRIBUTES: NamedValues = NamedValues {
    name: "file-attributes",
    bits: true,
    values: &[
        (0x01, "FX_READ_ONLY"),
        (0x02, "FX_HIDDEN"),
        (0x04, "FX_SYSTEM"),
        (0x08, "FX_VOLUME"),
        (0x10, "FX_DIRECTORY"),
        (0x20, "FX_ARCHIVE"),
    ],
    unnamed: UnnamedFormat::Hex,
};

/// The open mode of a file (`fx_api.h`, `FX_OPEN_FOR_...`).
static FILE_OPEN_MODE: NamedValues = NamedValues {
    name: "file-open-mode",
    bits: false,
    values: &[
        (0, "FX_OPEN_FOR_READ"),
        (1, "FX_OPEN_FOR_WRITE"),
        (2, "FX_OPEN_FOR_READ_FAST"),
    ],
    unnamed: UnnamedFormat::Number,
};

/// The origin of a relative seek (`fx_api.h`, `FX_SEEK_...`).
static SEEK_FROM: NamedValues = NamedValues {
    name: "seek-from",
    bits: false,
    values: &[
        (0, "FX_SEEK_BEGIN"),
        (1, "FX_SEEK_END"),
        (2, "FX_SEEK_FORWARD"),
        (3, "FX_SEEK_BACK"),
    ],
    unnamed: UnnamedFormat::Number,
};

/// Errors found by `fx_media_check` (`fx_api.h`, from `FX_FAT_CHAIN_ERROR` on).
static MEDIA_CHECK_ERRORS: NamedValues = NamedValues {
    name: "media-check-errors",
    bits: true,
    values: &[
        (0, "none"),
        (0x01, "FX_FAT_CHAIN_ERROR"),
        (0x02, "FX_DIRECTORY_ERROR"),
        (0x04, "FX_LOST_CLUSTER_ERROR"),
        (0x08, "FX_FILE_SIZE_ERROR"),
    ],
    unnamed: UnnamedFormat::Hex,
};

/// All of them.
static ALL_NAMES: &[&NamedValues] = &[
    &THREAD_STATE,
    &WAIT_OPTION,
    &FLAGS_GET_OPTION,
    &FLAGS_SET_OPTION,
    &BOOLEAN,
    &INHERITANCE,
    &TCP_STATE,
    &IP_STATUS,
    &DRIVER_COMMAND,
    &PACKET_STATUS,
    &FILE_ATTRIBUTES,
    &FILE_OPEN_MODE,
    &SEEK_FROM,
    &MEDIA_CHECK_ERRORS,
];

/// The meaning with that name, of this format or of any, e.g. `thread-state` or
/// `ticks`.
pub(crate) fn meaning_from_name(name: &str) -> Option<Meaning> {
    let own = ALL_NAMES.iter().copied().find(|names| names.name == name);
    own.map(Meaning::Named).or_else(|| Meaning::from_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_do_not_hide_common_meanings() {
        for names in ALL_NAMES {
            assert_eq!(Meaning::from_name(names.name), None, "{}", names.name);
            assert_eq!(meaning_from_name(names.name), Some(Meaning::Named(names)));
        }
        assert_eq!(meaning_from_name("ticks"), Some(Meaning::Ticks));
        assert_eq!(meaning_from_name("tick"), None);
    }

    #[test]
    fn every_value_has_one_name() {
        let all: BTreeSet<_> = ALL_NAMES.iter().map(|names| names.name).collect();
        assert_eq!(all.len(), ALL_NAMES.len());
        for names in ALL_NAMES {
            let values: BTreeSet<_> = names.values.iter().map(|(value, _)| value).collect();
            let words: BTreeSet<_> = names.values.iter().map(|(_, word)| word).collect();
            assert_eq!(values.len(), names.values.len(), "{}", names.name);
            assert_eq!(words.len(), names.values.len(), "{}", names.name);
        }
    }
}
