use super::memory::NAME_BYTES;
use super::registry::ObjectDescription;
use super::{Thread, ThreadXRecorder, TraceStatus, WordWidth};
use crate::port::{Clock, Mask};
use rtoscope_wire::threadx::{ObjectType, THREAD_PRIORITY_VALID};

/// The registry: names and properties of the objects at each address. Register objects
/// while the recorder is enabled.
impl<M: Mask, C: Clock, W: WordWidth> ThreadXRecorder<M, C, W> {
    /// Registers an object (`TX_TRACE_OBJECT_REGISTER`): its address, the first 31 bytes
    /// of its name, and the parameters that [`ObjectType`] lists. A build with
    /// `RTOSCOPE_THREADX_NAME_BYTES` keeps fewer or more bytes.
    ///
    /// As in ThreadX, entries of unregistered objects are kept while other slots are
    /// free, and a full registry accepts no more objects.
    pub fn register(
        &self,
        object_type: ObjectType,
        address: usize,
        name: &str,
        parameters: [W; 2],
    ) {
        let _ = self.try_register(object_type, address, name, parameters);
    }

    /// As [`ThreadXRecorder::register`].
    ///
    /// # Errors
    /// [`TraceStatus::NotDone`] if the recorder is not enabled or its registry is full,
    /// [`TraceStatus::PointerError`] for address 0, which marks an unused slot.
    pub fn try_register(
        &self,
        object_type: ObjectType,
        address: usize,
        name: &str,
        parameters: [W; 2],
    ) -> Result<(), TraceStatus> {
        let object = object_description(object_type, address, parameters);
        self.register_object(&object, name_bytes(name))
    }

    /// Registers a thread with its priority and its stack, as
    /// [`ThreadXRecorder::register`].
    pub fn register_thread(
        &self,
        thread: Thread,
        name: &str,
        stack_start: usize,
        stack_size: usize,
    ) {
        let _ = self.try_register_thread(thread, name, stack_start, stack_size);
    }

    /// As [`ThreadXRecorder::register_thread`].
    ///
    /// # Errors
    /// As [`ThreadXRecorder::try_register`].
    pub fn try_register_thread(
        &self,
        thread: Thread,
        name: &str,
        stack_start: usize,
        stack_size: usize,
    ) -> Result<(), TraceStatus> {
        let stack = [stack_start, stack_size].map(W::from_address);
        self.register_object(&thread_description(thread, stack), name_bytes(name))
    }

    /// As [`ThreadXRecorder::try_register`] with a C string; null is the empty name.
    ///
    /// # Safety
    /// `name` must be null or the address of readable text that ends with a NUL or has 31
    /// bytes.
    ///
    /// # Errors
    /// As [`ThreadXRecorder::try_register`].
    pub unsafe fn register_raw(
        &self,
        object_type: ObjectType,
        address: usize,
        name: *const u8,
        parameters: [W; 2],
    ) -> Result<(), TraceStatus> {
        let object = object_description(object_type, address, parameters);
        // SAFETY: the caller guarantees this.
        self.register_object(&object, unsafe { raw_name_bytes(name) })
    }

    /// As [`ThreadXRecorder::try_register_thread`] with a C string.
    ///
    /// # Safety
    /// As [`ThreadXRecorder::register_raw`].
    ///
    /// # Errors
    /// As [`ThreadXRecorder::try_register`].
    pub unsafe fn register_thread_raw(
        &self,
        thread: Thread,
        name: *const u8,
        stack_start: usize,
        stack_size: usize,
    ) -> Result<(), TraceStatus> {
        let stack = [stack_start, stack_size].map(W::from_address);
        // SAFETY: the caller guarantees this.
        self.register_object(&thread_description(thread, stack), unsafe {
            raw_name_bytes(name)
        })
    }

    /// Unregisters the object at this address (`TX_TRACE_OBJECT_UNREGISTER`). Readers
    /// still find its entry until the slot is reused.
    pub fn unregister(&self, address: usize) {
        let _ = self.try_unregister(address);
    }

    /// As [`ThreadXRecorder::unregister`].
    ///
    /// # Errors
    /// [`TraceStatus::NotDone`] if no such object is registered,
    /// [`TraceStatus::PointerError`] for address 0.
    pub fn try_unregister(&self, address: usize) -> Result<(), TraceStatus> {
        self.with_control(|control| control.registry.remove(W::from_address(address)))
    }

    fn register_object(
        &self,
        object: &ObjectDescription<W>,
        name: impl Iterator<Item = u8>,
    ) -> Result<(), TraceStatus> {
        self.with_control(|control| control.registry.insert(object, name))
    }
}

fn object_description<W: WordWidth>(
    object_type: ObjectType,
    address: usize,
    parameters: [W; 2],
) -> ObjectDescription<W> {
    ObjectDescription {
        object_type: object_type.0,
        reserved: [0; 2],
        pointer: W::from_address(address),
        parameters,
    }
}

fn thread_description<W: WordWidth>(thread: Thread, stack: [W; 2]) -> ObjectDescription<W> {
    let [high, low] = thread.priority.to_be_bytes();
    ObjectDescription {
        object_type: ObjectType::THREAD.0,
        reserved: [THREAD_PRIORITY_VALID | high, low],
        pointer: W::from_address(thread.address),
        parameters: stack,
    }
}

/// The bytes of a name that a slot keeps, in complete characters.
fn name_bytes(name: &str) -> impl Iterator<Item = u8> + '_ {
    let max_len = name.len().min(NAME_BYTES - 1);
    let is_boundary = |end: &usize| name.is_char_boundary(*end);
    let end = (0..=max_len).rev().find(is_boundary).unwrap_or(0);
    name.bytes().take(end).take_while(|byte| *byte != 0)
}

/// # Safety
/// As [`ThreadXRecorder::register_raw`].
unsafe fn raw_name_bytes(name: *const u8) -> impl Iterator<Item = u8> {
    let max_len = if name.is_null() { 0 } else { NAME_BYTES - 1 };
    (0..max_len)
        // SAFETY: one of the bytes that a slot keeps, with no NUL before it.
        .map(move |index| unsafe { name.add(index).read() })
        .take_while(|byte| *byte != 0)
}
