//! Display names, truncated to a maximum length. A name is never built in full, because
//! a response has thousands of them.

use crate::index::state_machines::vertex_object;
use crate::response::LaneKind;
use crate::session::Session;
use crate::truncate::{MAX_NAME_CHARS, truncate};
use rtoscope_analysis::markers::MarkerId;
use rtoscope_trace::{
    Address, ContextId, Contexts, Endpoint, Object, ObjectClass, ResourceId, Signal, Vertex,
};
use std::path::Path;

impl Session {
    /// A thread's name, `interrupt`, `initialize`, `idle` or `unknown`.
    pub(crate) fn context_name(&self, id: ContextId) -> String {
        match id {
            Contexts::INTERRUPT => "interrupt".to_owned(),
            Contexts::INITIALIZE => "initialize".to_owned(),
            Contexts::IDLE => "idle".to_owned(),
            ContextId::UNKNOWN => "unknown".to_owned(),
            thread => self.thread_name(thread),
        }
    }

    fn thread_name(&self, id: ContextId) -> String {
        let context = self.recording.trace.contexts.get(id);
        let object = context.and_then(|context| self.recording.trace.objects.get(context.object?));
        truncated_name(object).unwrap_or_else(|| self.recording.trace.context_name(id))
    }

    /// A resource's name: the object's, or its address.
    pub(crate) fn resource_name(&self, id: ResourceId) -> String {
        let view = self.recording.view();
        truncate(view.resource_name(id), MAX_NAME_CHARS)
    }

    /// The name of a state or pseudostate of an active object, or its address.
    pub(crate) fn vertex_name(&self, vertex: Vertex, context: ContextId) -> String {
        truncated_name(vertex_object(&self.recording.trace, vertex, context))
            .unwrap_or_else(|| vertex.0.to_string())
    }

    /// A signal's name, or its number.
    pub(crate) fn signal_name(&self, signal: Signal) -> String {
        let number = Address(signal.0.into());
        let object = self
            .recording
            .trace
            .objects
            .find_class(number, ObjectClass::Signal);
        truncated_name(object).unwrap_or_else(|| format!("signal {}", signal.0))
    }

    /// A sender's or receiver's name; its address if it has none; or `unknown`.
    pub(crate) fn endpoint_name(&self, endpoint: Endpoint) -> String {
        match endpoint {
            Endpoint::Object(context) => self.context_name(context),
            Endpoint::Other(address) => self.address_name(address, ObjectClass::Actor),
            Endpoint::Unknown => self.context_name(ContextId::UNKNOWN),
        }
    }

    /// The name of the object at an address, preferably of this class, or the address.
    pub(crate) fn address_name(&self, address: Address, class: ObjectClass) -> String {
        let objects = &self.recording.trace.objects;
        let any = || objects.at(address).find(|one| !one.class.is_numbered());
        let object = objects.find_class(address, class).or_else(any);
        truncated_name(object).unwrap_or_else(|| address.to_string())
    }

    /// The name of an interrupt service routine.
    pub(crate) fn isr_name(&self, number: Option<u32>) -> String {
        match number {
            Some(_) => truncate(self.recording.schedule.isr_name(number), MAX_NAME_CHARS),
            None => "ISR without number".to_owned(),
        }
    }

    /// The name of a lane.
    pub(crate) fn lane_name(&self, of: LaneKind) -> String {
        let several = self.recording.schedule.cores.len() > 1;
        let on_core = |name: &str, core: u8| match several {
            true => format!("{name}, core {core}"),
            false => name.to_owned(),
        };
        match of {
            LaneKind::Summary => "Summary".to_owned(),
            LaneKind::Core { core } => format!("Core {core}"),
            LaneKind::Interrupt { core } => on_core("Interrupts", core),
            LaneKind::Isr { core, number } => on_core(&self.isr_name(number), core),
            LaneKind::InterruptsOff { core } => on_core("Interrupts off", core),
            LaneKind::Marker { marker } => truncate(
                self.recording.markers.name(MarkerId(marker)),
                MAX_NAME_CHARS,
            ),
            LaneKind::PipelineStage { pipeline, stage } => {
                let pipelines = &self.recording.pipelines;
                let pipeline = pipelines.get(pipeline as usize);
                let stage = pipeline.and_then(|it| Some((it, it.stages.get(stage as usize)?)));
                let name =
                    stage.map(|(pipeline, stage)| format!("{}: {}", pipeline.name, stage.name));
                truncate(name.unwrap_or_default(), MAX_NAME_CHARS)
            }
            LaneKind::TextLog { log } => {
                let log = self.recording.text_logs.get(log as usize);
                let name = log.map(|log| Path::new(&log.name).file_name());
                let name = name.flatten().unwrap_or_default().to_string_lossy();
                truncate(name, MAX_NAME_CHARS)
            }
            LaneKind::InitializeIdle { core } => on_core("Initialisation / idle", core),
            LaneKind::Thread { context } => self.context_name(ContextId(context)),
            LaneKind::Machine { context } => {
                format!("{}: states", self.context_name(ContextId(context)))
            }
        }
    }
}

/// The name of an object that has one.
fn truncated_name(object: Option<&Object>) -> Option<String> {
    let object = object.filter(|object| !object.name.is_empty())?;
    Some(truncate(&object.name, MAX_NAME_CHARS))
}
