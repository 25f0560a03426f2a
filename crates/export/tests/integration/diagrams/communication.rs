//! Communication graphs of recordings.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_export::CommunicationGraph;
use rtoscope_export::communication::{EdgeKind, NodeShape, dot, mermaid};
use rtoscope_fixtures::read_testdata;
use rtoscope_trace::{Name, ObjectClass, Objects};

fn open(file: &str) -> AnalyzedRecording {
    renamed(file, None)
}

/// A recording; `name`, if any, replaces all its names.
fn renamed(file: &str, name: Option<&[u8]>) -> AnalyzedRecording {
    let bytes = read_testdata(file);
    let input = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, None).unwrap();
    let DecodedRecording {
        mut trace,
        format_info,
    } = input.decode(&DecodeOptions::default()).unwrap();
    if let Some(name) = name {
        let objects = trace.objects.iter().cloned().map(|mut object| {
            object.name = Name::new(name);
            object
        });
        trace.objects = Objects::new(objects.collect());
    }
    AnalyzedRecording::new("test", "", trace, &format_info)
}

#[test]
fn contexts_and_objects_are_connected_by_their_calls() {
    let recording = open("threadx/cm3_system.trx");
    let graph = CommunicationGraph::new(&recording.view());
    insta::assert_snapshot!("system_dot", dot::render(&graph));
    insta::assert_snapshot!("system_mermaid", mermaid::render(&graph));
    let mut holds = graph.edges.iter();
    let holds = holds.by_ref().filter(|edge| edge.kind == EdgeKind::Hold);
    for edge in holds {
        let ends = [edge.from, edge.to].map(|end| graph.nodes.get(end).unwrap().shape);
        assert_eq!(
            ends,
            [NodeShape::Thread, NodeShape::Object(ObjectClass::Mutex)]
        );
    }
}

#[test]
fn active_objects_are_connected_by_their_posts() {
    let recording = open("rkh/nat_short.bin");
    let graph = CommunicationGraph::new(&recording.view());
    let posts = graph.edges.iter().filter(|it| it.kind == EdgeKind::Post);
    let handled = recording.active.posts.iter();
    let handled = handled.filter(|post| post.step.is_some()).count() as u64;
    assert_eq!(posts.clone().map(|edge| edge.count).sum::<u64>(), handled);
    for edge in posts {
        let by_signal: u64 = edge.signals.iter().map(|(_, count)| count).sum();
        assert_eq!(by_signal, edge.count);
    }
    // Posts wake active objects.
    assert!(graph.edges.iter().all(|it| it.kind != EdgeKind::Wake));
}

#[test]
fn names_are_escaped() {
    let name = b"a\"; b [x=\"y\"] -> c\\ <b>&amp; end";
    for file in ["threadx/cm3_system.trx", "rkh/nat_short.bin"] {
        let graphs = [None, Some(&name[..])].map(|name| {
            let recording = renamed(file, name);
            CommunicationGraph::new(&recording.view())
        });
        let [plain, hostile] = graphs.each_ref().map(dot::render);
        assert_eq!(plain.lines().count(), hostile.lines().count());
        for line in hostile.lines() {
            assert_eq!(super::names::quotes(line) % 2, 0, "{line}");
        }
        let [plain, hostile] = graphs.each_ref().map(mermaid::render);
        assert_eq!(plain.lines().count(), hostile.lines().count());
        for line in hostile.lines() {
            assert!(!line.to_lowercase().contains(" end"), "{line}");
            assert!(!line.contains("<b>"), "{line}");
        }
    }
}
