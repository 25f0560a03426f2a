//! Display names of active objects and what belongs to them.

use rtoscope_trace::{Address, Endpoint, Object, ObjectClass, Signal, Trace, Vertex};

/// Formats display names: as registered (escaped), else the number or the
/// address.
#[derive(Debug, Clone, Copy)]
pub struct NameFormatter<'t>(pub &'t Trace);

impl NameFormatter<'_> {
    /// A signal's name, or `signal 7`.
    pub fn signal(self, signal: Signal) -> String {
        let number = Address(signal.0.into());
        self.registered(number, ObjectClass::Signal)
            .unwrap_or_else(|| format!("signal {}", signal.0))
    }

    /// A state's or pseudostate's name, or its address.
    pub fn vertex(self, vertex: Vertex) -> String {
        self.registered(vertex.0, ObjectClass::State)
            .or_else(|| self.registered(vertex.0, ObjectClass::Pseudostate))
            .unwrap_or_else(|| self.any_object(vertex.0))
    }

    /// A function's name, or its address.
    pub fn function(self, function: Address) -> String {
        self.registered(function, ObjectClass::Function)
            .unwrap_or_else(|| function.to_string())
    }

    /// A timer's name, or its address.
    pub fn timer(self, timer: Address) -> String {
        self.registered(timer, ObjectClass::Timer)
            .unwrap_or_else(|| self.any_object(timer))
    }

    /// A queue's name, or its address.
    pub fn queue(self, queue: Address) -> String {
        self.registered(queue, ObjectClass::Queue)
            .unwrap_or_else(|| self.any_object(queue))
    }

    /// The name of a sender or receiver; `None` if it is not recorded.
    pub fn endpoint(self, endpoint: Endpoint) -> Option<String> {
        match endpoint {
            Endpoint::Object(context) => Some(self.0.context_name(context)),
            Endpoint::Other(address) => {
                let actor = self.registered(address, ObjectClass::Actor);
                Some(actor.unwrap_or_else(|| self.any_object(address)))
            }
            Endpoint::Unknown => None,
        }
    }

    fn registered(self, address: Address, class: ObjectClass) -> Option<String> {
        named(self.0.objects.find_as(address, class))
    }

    /// The name of any object at an address, except objects with numbers.
    fn any_object(self, address: Address) -> String {
        let mut objects = self.0.objects.at(address);
        let object = objects.find(|object| !object.class.is_numbered());
        named(object).unwrap_or_else(|| address.to_string())
    }
}

fn named(object: Option<&Object>) -> Option<String> {
    let object = object.filter(|object| !object.name.is_empty());
    object.map(Object::display_name)
}

/// Finds the only candidate with this name.
pub(crate) fn find_named<T>(
    what: &str,
    candidates: impl Iterator<Item = (T, String)>,
    name: &str,
) -> Result<T, String> {
    let mut names = Vec::new();
    let mut found = None;
    for (candidate, its_name) in candidates {
        if its_name == name && found.replace(candidate).is_some() {
            return Err(format!("more than one {what} is named {name:?}"));
        }
        names.push(its_name);
    }
    found.ok_or_else(|| {
        format!(
            "no {what} is named {name:?}; available: {}",
            names.join(", ")
        )
    })
}
