//! Resolves the addresses of a log to names.

use super::context_ids::{AddressUses, ContextIds};
use super::firmware::FirmwareFiles;
use super::log::SwitchLog;
use super::name_source::{self, NameError};
use rtoscope_symbols::Symbol;
use rtoscope_trace::{
    Address, CodeLocation, CodeLocations, Contexts, Name, Object, ObjectClass, ObjectId, Objects,
    TextEncoding,
};
use std::collections::{HashMap, HashSet};

/// The resolved names.
pub(super) struct ResolvedNames {
    /// The contexts, each thread with the object that names it.
    pub(super) make_contexts: Contexts,
    pub(super) objects: Objects,
    pub(super) code_locations: CodeLocations,
    /// The names that were read, by their pointers.
    pub(super) names: Vec<(u64, Name)>,
    /// The functions that contain addresses, by address.
    pub(super) functions: Vec<Symbol>,
    pub(super) stats: NameStats,
}

/// Statistics of the resolution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct NameStats {
    pub(super) threads: usize,
    /// Pointers to unknown memory, and the first of them.
    pub(super) unmapped_names: NameFailures,
    /// Pointers to text that is not printable.
    pub(super) unprintable_names: NameFailures,
    /// Numbers of threads for whose names the recorder had no room.
    pub(super) refused_names: NameFailures,
    pub(super) markers: usize,
    /// Markers without a readable name.
    pub(super) unnamed_markers: NameFailures,
    pub(super) addresses: usize,
    /// Addresses inside a known function.
    pub(super) resolved_addresses: usize,
    /// Addresses outside all functions that are no evidence against the
    /// firmware: 0, which means unknown, and data, which hooks use to identify
    /// tasks of kernels without thread addresses.
    pub(super) non_code_addresses: usize,
    /// Names that the log and the firmware have at the same address.
    pub(super) confirmed_names: usize,
}

/// Pointers without a name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct NameFailures {
    pub(super) count: usize,
    pub(super) first: u64,
}

impl NameFailures {
    fn add(&mut self, pointer: u64) {
        if self.count == 0 {
            self.first = pointer;
        }
        self.count += 1;
    }
}

impl NameStats {
    /// Threads without a name.
    pub(super) fn unnamed_threads(&self) -> usize {
        self.unmapped_names.count + self.unprintable_names.count + self.refused_names.count
    }

    /// Addresses that must be in code.
    pub(super) fn code_addresses(&self) -> usize {
        self.addresses - self.non_code_addresses
    }
}

/// Resolves the threads and code addresses of a log.
pub(super) fn resolve_names(
    known: &ContextIds<'_>,
    log: &SwitchLog<'_>,
    firmware: FirmwareFiles<'_>,
    encoding: TextEncoding,
) -> ResolvedNames {
    let read_as = |pointer: u64, brought: Option<&[u8]>| {
        let in_firmware = firmware.text(pointer);
        log.name_source
            .read(pointer, brought, in_firmware, encoding)
    };
    let read = |pointer: u64| {
        let brought = log.name_source.container_names.get(&pointer).copied();
        read_as(pointer, brought)
    };
    let mut census = NameStats::default();
    let mut names = Vec::new();
    let mut threads = Vec::new();
    for (context, text) in known.contexts.threads().zip(known.thread_texts()) {
        let pointer = context.address.0;
        census.threads += 1;
        let name = match read_as(pointer, *text) {
            Ok(name) => {
                names.push((pointer, name.clone()));
                Some(name)
            }
            Err(NameError::Unmapped) => {
                census.unmapped_names.add(pointer);
                None
            }
            Err(NameError::Unprintable) => {
                census.unprintable_names.add(pointer);
                None
            }
            Err(NameError::Refused) => {
                census.refused_names.add(pointer);
                None
            }
        };
        threads.push((pointer, name));
    }
    let mut other_names = Vec::new();
    for pointer in known.names_of_no_thread() {
        let is_thread = threads.iter().any(|(thread, _)| *thread == pointer);
        if !is_thread && let Ok(name) = read(pointer) {
            other_names.push((Address(pointer), name));
        }
    }
    let (mut contexts, mut objects) = contexts(threads);
    contexts.add_names(other_names);
    let handlers = contexts.names();
    names.extend(handlers.map(|(address, name)| (address.0, name.clone())));
    let named: HashSet<u64> = names.iter().map(|(pointer, _)| *pointer).collect();
    for pointer in known.marker_names() {
        census.markers += 1;
        let Ok(name) = read(pointer) else {
            census.unnamed_markers.add(pointer);
            continue;
        };
        if !named.contains(&pointer) {
            names.push((pointer, name.clone()));
        }
        let number = u32::try_from(objects.len()).unwrap_or(u32::MAX);
        objects.push(named_object(
            ObjectClass::Marker,
            Address(pointer),
            name,
            number,
        ));
    }
    let objects = Objects::new(objects);
    let addresses = known.addresses();
    let brought = ContainerSymbols::new(&log.symbols);
    let mut places = Vec::new();
    let mut functions: Vec<Symbol> = Vec::new();
    census.addresses = addresses.len();
    for (address, uses) in addresses {
        let function = find_function(firmware, &brought, address, uses);
        let place = firmware.code_location(address, uses).or_else(|| {
            let function = Some(function.as_ref()?.name.clone());
            Some(CodeLocation {
                address: Address(address),
                function,
                file: None,
                line: None,
            })
        });
        places.extend(place);
        census.resolved_addresses += usize::from(function.is_some());
        census.non_code_addresses +=
            usize::from(function.is_none() && (address == 0 || firmware.is_data(address)));
        functions.extend(function);
    }
    let is_confirmed = |(pointer, name): &&(u64, Name)| {
        log.name_source.is_recorded(*pointer)
            && name_source::is_terminated_name(name, firmware.text(*pointer), encoding)
    };
    census.confirmed_names = names.iter().filter(is_confirmed).count();
    functions.sort_by_key(|symbol| symbol.address);
    functions.dedup_by_key(|symbol| symbol.address);
    ResolvedNames {
        make_contexts: contexts,
        objects,
        code_locations: CodeLocations::new(places),
        names,
        functions,
        stats: census,
    }
}

/// Creates a context for each thread, in order. Threads with the same name are
/// distinguished by their pointers.
fn contexts(threads: Vec<(u64, Option<Name>)>) -> (Contexts, Vec<Object>) {
    let mut uses: HashMap<Name, u32> = HashMap::new();
    for name in threads.iter().filter_map(|(_, name)| name.as_ref()) {
        *uses.entry(name.clone()).or_default() += 1;
    }
    let nowhere = Address(0);
    let mut contexts = Contexts::new(nowhere, nowhere, nowhere);
    let mut objects = Vec::new();
    for (pointer, name) in threads {
        let address = Address(pointer);
        let number = u32::try_from(objects.len()).unwrap_or(u32::MAX);
        let id = name.map(|name| {
            let shared = uses.get(&name).is_some_and(|uses| *uses > 1);
            let name = match shared {
                true => Name::new(&[name.as_bytes(), format!(" ({address})").as_bytes()].concat()),
                false => name,
            };
            objects.push(named_object(ObjectClass::Thread, address, name, number));
            ObjectId(number)
        });
        contexts.push_thread(address, id);
    }
    (contexts, objects)
}

fn named_object(class: ObjectClass, address: Address, name: Name, slot: u32) -> Object {
    Object {
        id: ObjectId(slot),
        slot: Some(slot),
        ..Object::named(class, address, name)
    }
}

fn find_function(
    firmware: FirmwareFiles<'_>,
    brought: &ContainerSymbols<'_>,
    address: u64,
    uses: AddressUses,
) -> Option<Symbol> {
    match firmware.function(address, uses) {
        Some(function) => Some(Symbol {
            class: Some(ObjectClass::Function),
            address: function.start.0,
            size: function.size,
            name: function.name,
            owner: 0,
        }),
        None => brought.find(address).cloned(),
    }
}

/// The symbols of a container.
struct ContainerSymbols<'s> {
    /// Sorted by address.
    symbols: Vec<&'s Symbol>,
}

impl<'s> ContainerSymbols<'s> {
    fn new(symbols: &'s [Symbol]) -> Self {
        let mut all: Vec<_> = symbols.iter().collect();
        all.sort_by_key(|symbol| symbol.address);
        Self { symbols: all }
    }

    /// The symbol that contains an address. A symbol without a size ends at the
    /// start of the next.
    fn find(&self, address: u64) -> Option<&'s Symbol> {
        let following = self
            .symbols
            .partition_point(|symbol| symbol.address <= address);
        let symbol = *self.symbols.get(following.checked_sub(1)?)?;
        let inside = address - symbol.address;
        // A return address may be just after the end of the calling function.
        (symbol.size == 0 || inside <= symbol.size).then_some(symbol)
    }
}
