use core::ops::BitOr;

/// Groups of events that can be filtered, one bit each.
///
/// Numbers: `tx_api.h`, `fx_api.h`, `nx_api.h` and `ux_api.h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct EventGroups(pub u32);

impl EventGroups {
    /// No group.
    pub const NONE: Self = Self(0);
    /// All groups, including the application's own events.
    pub const ALL: Self = Self(0xFFFF_FFFF);
    /// `TX_TRACE_ALL_EVENTS`: all groups of ThreadX except the application's events.
    pub const THREADX: Self = Self(0x0000_07FF);
    /// `FX_TRACE_ALL_EVENTS`: all groups of FileX.
    pub const FILEX: Self = Self(0x0000_7800);
    /// `NX_TRACE_ALL_EVENTS`: all groups of NetX.
    pub const NETX: Self = Self(0x00FF_8000);
    /// `UX_TRACE_ALL_EVENTS`: all groups of USBX.
    pub const USBX: Self = Self(0x7F00_0000);

    /// The union of both sets.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOr for EventGroups {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}

macro_rules! groups {
    ($($bit:literal $constant:ident $doc:literal)*) => {
        impl EventGroups {
            $(#[doc = $doc] pub const $constant: Self = Self(1 << $bit);)*
        }
    };
}

groups! {
    0 INTERNAL "`TX_TRACE_INTERNAL_EVENTS`: the scheduler's events and those of interrupts."
    1 BLOCK_POOL "`TX_TRACE_BLOCK_POOL_EVENTS`."
    2 BYTE_POOL "`TX_TRACE_BYTE_POOL_EVENTS`."
    3 EVENT_FLAGS "`TX_TRACE_EVENT_FLAGS_EVENTS`."
    4 INTERRUPT_CONTROL "`TX_TRACE_INTERRUPT_CONTROL_EVENT`."
    5 MUTEX "`TX_TRACE_MUTEX_EVENTS`."
    6 QUEUE "`TX_TRACE_QUEUE_EVENTS`."
    7 SEMAPHORE "`TX_TRACE_SEMAPHORE_EVENTS`."
    8 THREAD "`TX_TRACE_THREAD_EVENTS`."
    9 TIME "`TX_TRACE_TIME_EVENTS`."
    10 TIMER "`TX_TRACE_TIMER_EVENTS`."
    11 FILEX_INTERNAL "`FX_TRACE_INTERNAL_EVENTS`."
    12 FILEX_MEDIA "`FX_TRACE_MEDIA_EVENTS`."
    13 FILEX_DIRECTORY "`FX_TRACE_DIRECTORY_EVENTS`."
    14 FILEX_FILE "`FX_TRACE_FILE_EVENTS`."
    15 NETX_INTERNAL "`NX_TRACE_INTERNAL_EVENTS`."
    16 NETX_ARP "`NX_TRACE_ARP_EVENTS`."
    17 NETX_ICMP "`NX_TRACE_ICMP_EVENTS`."
    18 NETX_IGMP "`NX_TRACE_IGMP_EVENTS`."
    19 NETX_IP "`NX_TRACE_IP_EVENTS`."
    20 NETX_PACKET "`NX_TRACE_PACKET_EVENTS`."
    21 NETX_RARP "`NX_TRACE_RARP_EVENTS`."
    22 NETX_TCP "`NX_TRACE_TCP_EVENTS`."
    23 NETX_UDP "`NX_TRACE_UDP_EVENTS`."
    24 USBX_ERRORS "`UX_TRACE_ERRORS`."
    25 USBX_HOST_STACK "`UX_TRACE_HOST_STACK_EVENTS`."
    26 USBX_DEVICE_STACK "`UX_TRACE_DEVICE_STACK_EVENTS`."
    27 USBX_HOST_CONTROLLER "`UX_TRACE_HOST_CONTROLLER_EVENTS`."
    28 USBX_DEVICE_CONTROLLER "`UX_TRACE_DEVICE_CONTROLLER_EVENTS`."
    29 USBX_HOST_CLASS "`UX_TRACE_HOST_CLASS_EVENTS`."
    30 USBX_DEVICE_CLASS "`UX_TRACE_DEVICE_CLASS_EVENTS`."
    31 USER "`TX_TRACE_USER_EVENTS`: what an application inserts."
}
