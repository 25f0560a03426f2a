//! Sessions, and the data their responses are compared with.

use super::switches::container;
use rtoscope_analysis::Schedule;
use rtoscope_analysis::active::ActiveObjects;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, FormatInfo, UnpackedInput};
use rtoscope_generate::{ThreadXOptions, write};
use rtoscope_session::{QueryError, QueryResponse, Session};
use rtoscope_trace::{EventIndex, ObjectClass, Trace, Vertex};
use serde_json::{Value, json};

/// A session, and its trace, schedule and active objects.
pub(crate) struct TestCase {
    pub(crate) name: String,
    pub(crate) session: Session,
    pub(crate) trace: Trace,
    pub(crate) origin: FormatInfo,
    pub(crate) schedule: Schedule,
    pub(crate) active: ActiveObjects,
}

impl TestCase {
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Self {
        let session = Session::open(name, bytes, &DecodeOptions::default()).unwrap();
        Self::of(name, bytes, session)
    }

    fn of(name: &str, bytes: &[u8], session: Session) -> Self {
        let content = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
        let DecodedRecording {
            trace,
            format_info: origin,
        } = content.decode(&DecodeOptions::default()).unwrap();
        let schedule = Schedule::from_trace(&trace, &mut origin.interpreter(&trace));
        let active = ActiveObjects::from_trace(&trace, &origin.interpreter(&trace));
        Self {
            name: name.to_owned(),
            session,
            trace,
            origin,
            schedule,
            active,
        }
    }

    pub(crate) fn recorded(name: &str) -> Self {
        Self::new(name, &read("threadx", name))
    }

    pub(crate) fn generated(name: &str, settings: &ThreadXOptions) -> Self {
        let mut bytes = Vec::new();
        write(settings, &mut bytes, &mut |_| ()).unwrap();
        Self::new(name, &bytes)
    }

    pub(crate) fn try_query(&self, query: Value) -> Result<Value, QueryError> {
        match self
            .session
            .query(&serde_json::from_value(query).unwrap())?
        {
            QueryResponse::Json(text) => Ok(serde_json::from_str(&text).unwrap()),
            QueryResponse::Lanes(_) => panic!("no JSON"),
        }
    }

    pub(crate) fn query(&self, query: Value) -> Value {
        self.try_query(query).unwrap()
    }

    pub(crate) fn events(&self) -> u32 {
        self.trace.events.len() as u32
    }

    pub(crate) fn core(&self, event: u32) -> u8 {
        self.trace
            .events
            .core(EventIndex(event))
            .unwrap_or_default()
    }

    pub(crate) fn time(&self, event: u32) -> u64 {
        self.trace.events.time(EventIndex(event)).unwrap().0
    }

    /// The number of the event that a step reaches.
    pub(crate) fn step(&self, from: u32, direction: &str, by: &Value) -> Option<u32> {
        let query = json!({"query": "step", "from": from, "direction": direction, "by": by});
        let place = self.query(query);
        let event = place["event"].as_u64()? as u32;
        assert_eq!(place["time"], self.time(event));
        Some(event)
    }

    /// The position of what happens at an event.
    pub(crate) fn position(&self, axis: &str, event: u32) -> f64 {
        match axis {
            "time" => self.time(event) as f64,
            _ => f64::from(event) + 0.5,
        }
    }

    /// The name of a state, or its address.
    pub(crate) fn vertex_name(&self, vertex: Vertex) -> String {
        let object = self.trace.objects.find_as(vertex.0, ObjectClass::State);
        object.map_or_else(|| vertex.0.to_string(), |object| object.name.to_string())
    }

    /// The end of an axis.
    pub(crate) fn end(&self, axis: &str) -> f64 {
        match axis {
            "time" => self.trace.events.span().0 as f64,
            _ => f64::from(self.events()),
        }
    }

    /// Windows of an axis: the whole trace, parts, beyond the ends, and tiny ones.
    pub(crate) fn windows(&self, axis: &str) -> Vec<[f64; 2]> {
        let end = self.end(axis).max(1.0);
        let parts = [
            [0.0, 1.0],
            [-0.2, 1.2],
            [0.31, 0.69],
            [0.5, 0.5001],
            [0.9, 3.0],
            [2.0, 3.0],
        ];
        let mut windows: Vec<_> = parts.map(|part| part.map(|at| at * end)).to_vec();
        windows.push([3.25, 5.5]);
        windows
    }
}

fn read(folder: &str, name: &str) -> Vec<u8> {
    rtoscope_fixtures::read_testdata(&format!("{folder}/{name}"))
}

/// A complete trace of active objects.
pub(crate) fn whole_active_case() -> TestCase {
    TestCase::new("whole", &read("rkh", "nat_short.bin"))
}

/// Traces of active objects: complete, with missing records, with a restart of the
/// target, and one that ran long before the capture started.
pub(crate) fn active_cases() -> Vec<TestCase> {
    let whole = read("rkh", "nat_short.bin");
    let other = read("rkh", "ahsm_all.bin");
    let part = |bytes: &[u8], from: usize, to: usize| bytes[from..to].to_vec();
    let end = whole.len();
    let lossy = [
        part(&whole, 0, 5_000),
        part(&whole, 5_400, 9_000),
        part(&whole, 9_777, end),
    ];
    let twice = [whole.clone(), part(&whole, 0, 7_000), whole.clone()];
    let late = [part(&whole, 6_000, end), whole.clone()];
    vec![
        TestCase::new("whole", &whole),
        TestCase::new("other", &other),
        TestCase::new("lossy", &lossy.concat()),
        TestCase::new("twice", &twice.concat()),
        TestCase::new("late", &late.concat()),
    ]
}

/// The starts of a window's pixels, and the end of the last one.
pub(crate) fn edges([from, to]: [f64; 2], width: u32) -> Vec<f64> {
    let edge = |pixel: u32| from + (to - from) * (f64::from(pixel) / f64::from(width));
    (0..width).map(edge).chain([to]).collect()
}

/// Recorded traces of all formats, generated traces, and traces of active objects.
pub(crate) fn cases() -> Vec<TestCase> {
    let mut cases: Vec<_> = [
        "cm3_system.trx",
        "smp32_cores.trx",
        "linux32_isr.trx",
        "linux32_inv_nondet.trx",
        "linux32_inv_det.trx",
        "cm3_dwt_zero.trx",
        "be64_s390x_wrap.trx",
        "linux32_services_all.trx",
        "linux32_userevents.trx",
        "rv64_system.trx",
    ]
    .into_iter()
    .map(TestCase::recorded)
    .collect();
    let plain = ThreadXOptions {
        events: 2_500,
        threads: 7,
        ..ThreadXOptions::default()
    };
    let several = ThreadXOptions {
        cores: 3,
        shared_objects: true,
        inheritance: true,
        ..plain.clone()
    };
    let wrapped = ThreadXOptions {
        capacity: Some(1_500),
        timeouts: true,
        bare_ticks: true,
        ..plain.clone()
    };
    cases.push(TestCase::generated("plain", &plain));
    cases.push(TestCase::generated("several cores", &several));
    cases.push(TestCase::generated("wrapped", &wrapped));
    cases.extend(active_cases());
    cases.push(TestCase::new("switches", &container(60, 1)));
    cases.push(TestCase::new("switches of two cores", &container(20, 2)));
    cases
}
