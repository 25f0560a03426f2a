use rtoscope_wire::rkh::ActionRole;

/// An address in the stream: at most its low 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Address(pub u32);

impl Address {
    /// The null address.
    pub const NONE: Self = Self(0);

    /// The address of an object.
    #[inline(always)]
    pub fn of<T: ?Sized>(object: &T) -> Self {
        Self::from_ptr(object)
    }

    /// The address in a pointer; for a function, cast it first (`action as *const ()`).
    #[inline(always)]
    pub fn from_ptr<T: ?Sized>(pointer: *const T) -> Self {
        Self(pointer.cast::<()>() as usize as u32)
    }
}

/// An active object, or a state machine that is not active.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct ActiveObject {
    /// Its address.
    pub address: Address,
    /// Its priority, which the filter uses.
    pub priority: u8,
}

impl ActiveObject {
    /// Creates an object with this address and priority.
    pub const fn new(address: Address, priority: u8) -> Self {
        Self { address, priority }
    }
}

/// A type of a record's argument.
pub(super) trait WireNumber {
    fn number(self) -> u32;
}

impl WireNumber for Address {
    #[inline(always)]
    fn number(self) -> u32 {
        self.0
    }
}

impl WireNumber for ActiveObject {
    #[inline(always)]
    fn number(self) -> u32 {
        self.address.0
    }
}

impl WireNumber for ActionRole {
    #[inline(always)]
    fn number(self) -> u32 {
        self as u32
    }
}

impl WireNumber for u8 {
    #[inline(always)]
    fn number(self) -> u32 {
        self.into()
    }
}

impl WireNumber for u16 {
    #[inline(always)]
    fn number(self) -> u32 {
        self.into()
    }
}

impl WireNumber for u32 {
    #[inline(always)]
    fn number(self) -> u32 {
        self
    }
}
