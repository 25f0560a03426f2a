//! The serial port.

pub(crate) fn start() {
    board::start_serial();
}

/// It waits while there is no room.
pub(crate) fn room() -> usize {
    usize::MAX
}

pub(crate) fn send(bytes: &[u8]) {
    board::send(bytes);
}

/// Moves received bytes to `bytes` and returns their number.
pub(crate) fn receive(bytes: &mut [u8]) -> usize {
    let places = bytes.iter_mut();
    let received = places.map_while(|place| board::receive().map(|byte| *place = byte));
    received.count()
}
