//! The types in the object registry.

use crate::format::{RegistryType, RegistryTypes};
use rtoscope_trace::ObjectClass;
use rtoscope_wire::threadx::ObjectType;

/// The object class of a type number in the registry. Type 0 and undefined
/// numbers are [`ObjectClass::Unknown`].
///
/// References: `tx_trace.h` (1 to 8), `fx_api.h` (9, 10), `nx_api.h` (11 to
/// 14), `ux_api.h` (21 to 28). USBX registers class instances a second time
/// with the type of an interface, and those of a device only with that type.
pub fn object_class(type_number: u8) -> ObjectClass {
    match ObjectType(type_number) {
        ObjectType::THREAD => ObjectClass::Thread,
        ObjectType::TIMER => ObjectClass::Timer,
        ObjectType::QUEUE => ObjectClass::Queue,
        ObjectType::SEMAPHORE => ObjectClass::Semaphore,
        ObjectType::MUTEX => ObjectClass::Mutex,
        ObjectType::EVENT_FLAGS => ObjectClass::EventFlags,
        ObjectType::BLOCK_POOL => ObjectClass::BlockPool,
        ObjectType::BYTE_POOL => ObjectClass::BytePool,
        ObjectType::MEDIA => ObjectClass::Media,
        ObjectType::FILE => ObjectClass::File,
        ObjectType::IP => ObjectClass::Ip,
        ObjectType::PACKET_POOL => ObjectClass::PacketPool,
        ObjectType::TCP_SOCKET => ObjectClass::TcpSocket,
        ObjectType::UDP_SOCKET => ObjectClass::UdpSocket,
        ObjectType::USB_HOST_DEVICE => ObjectClass::UsbHostDevice,
        ObjectType::USB_HOST_INTERFACE => ObjectClass::UsbHostInterface,
        ObjectType::USB_HOST_ENDPOINT => ObjectClass::UsbHostEndpoint,
        ObjectType::USB_HOST_CLASS => ObjectClass::UsbHostClass,
        ObjectType::USB_DEVICE => ObjectClass::UsbDevice,
        ObjectType::USB_DEVICE_INTERFACE => ObjectClass::UsbDeviceInterface,
        ObjectType::USB_DEVICE_ENDPOINT => ObjectClass::UsbDeviceEndpoint,
        ObjectType::USB_DEVICE_CLASS => ObjectClass::UsbDeviceClass,
        _ => ObjectClass::Unknown,
    }
}

/// The difference between source and manual that concerns the names of all types.
const NAME_DIFFERENCE: &str = "a name has at most one byte less than its field, 31 by default, \
     and a NUL (tx_trace_object_register.c); the manual says 32 characters";

/// The types of objects in the registry.
pub(in crate::threadx) fn registry_types() -> RegistryTypes {
    let known = (0..=u8::MAX).map(|number| (number, object_class(number)));
    let known = known.filter(|(_, class)| *class != ObjectClass::Unknown);
    let types = known.map(|(number, class)| RegistryType {
        number,
        class,
        difference: difference(class),
    });
    RegistryTypes {
        difference: NAME_DIFFERENCE,
        types: types.collect(),
    }
}

fn difference(class: ObjectClass) -> Option<&'static str> {
    Some(match class {
        ObjectClass::Thread => {
            "the priority is in the two reserved bytes, and valid only if bit 0x80 of the first \
             is set (tx_trace_object_register.c); the manual does not mention the bit, which old \
             kernels never set: then the priority is not known"
        }
        ObjectClass::BlockPool => {
            "parameter 1 is the size of the pool in bytes (tx_block_pool_create.c); the manual \
             says total blocks"
        }
        ObjectClass::TcpSocket => {
            "parameter 1 is the type of service (nx_tcp_socket_create.c); the manual says IP \
             address"
        }
        ObjectClass::UdpSocket => {
            "parameter 1 is the type of service (nx_udp_socket_create.c); the manual says IP \
             address"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_class_has_one_type() {
        let known: BTreeSet<_> = (0..=u8::MAX)
            .map(object_class)
            .filter(|class| *class != ObjectClass::Unknown)
            .collect();
        let kernel = ObjectClass::ALL
            .iter()
            .take_while(|class| **class != ObjectClass::ActiveObject);
        assert!(known.into_iter().eq(kernel.copied()));
        let types = (0..=u8::MAX).filter(|number| object_class(*number) != ObjectClass::Unknown);
        assert!(types.eq((1..=14).chain(21..=28)));
        assert_eq!(object_class(9), ObjectClass::Media);
        let types = registry_types().types;
        let differing = types.iter().filter(|it| it.difference.is_some());
        let differing: Vec<_> = differing.map(|it| it.number).collect();
        assert_eq!(differing, [1, 7, 13, 14]);
        assert_eq!(object_class(24), ObjectClass::UsbHostClass);
    }
}
