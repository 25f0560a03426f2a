//! The fuzz targets, one a file.

/// Declares the modules of the targets, and [`TARGETS`].
macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// All targets, in the order of their names.
        pub const TARGETS: &[FuzzTarget] = &[$(FuzzTarget {
            name: stringify!($name),
            run: $name::run,
        }),*];
    };
}

targets! {
    btf,
    compressed,
    cswitch,
    ctf,
    custom_events,
    elf_core,
    exports,
    filter,
    gdb_packet,
    hex_text,
    intel_hex,
    itm,
    live,
    logic,
    mapping,
    open,
    percepio,
    queries,
    ram_image,
    record_cswitch,
    record_rkh,
    record_threadx,
    recording_index,
    reports,
    rkh_configuration,
    rkh_decode,
    rkh_host_messages,
    rkh_session,
    s_record,
    sequence,
    session,
    symbols,
    systemview,
    text_events,
    text_log,
    threadx_packets,
    tonbandgeraet,
    txtb,
    unwind,
}

/// What is fuzzed: a parser, or what is made of its result.
#[derive(Debug, Clone, Copy)]
pub struct FuzzTarget {
    /// The name of its file, and of the folder with its seeds.
    pub name: &'static str,
    /// Processes any bytes. Panics if a property does not hold.
    pub run: fn(&[u8]),
}
