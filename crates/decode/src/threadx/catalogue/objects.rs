//! The types in the object registry.

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
        assert_eq!(object_class(24), ObjectClass::UsbHostClass);
    }
}
