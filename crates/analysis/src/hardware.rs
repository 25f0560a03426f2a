//! Declared hardware and slots, applied to a recording.
//!
//! Hardware is busy from a kick to the next signal of its end. Its busy times become
//! spans of the recording's markers under its name; the windows of slots become planned
//! spans to compare with.

use crate::AnalyzedRecording;
use crate::markers::{MarkerId, MarkerSpan, PlannedSpan, SpanEnding};
use crate::timing::{DoneSource, HardwareDeclaration, SlotSchedule, TimingError};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::filter::Filter;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Ticks, Trace};

/// Declared hardware and slots of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HardwareActivity {
    /// The hardware, in the order of the file.
    pub units: Vec<HardwareUnit>,
    /// The slots, in the order of the file.
    pub slots: Vec<Slot>,
}

/// A declared piece of hardware.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HardwareUnit {
    /// The marker whose spans are its busy times.
    pub marker: MarkerId,
    /// Kicks while it was busy.
    pub kicks_while_busy: u64,
    /// The first of them.
    pub first_kick_while_busy: Option<EventIndex>,
    /// Ends while it was idle, apart from those before the first kick and after gaps.
    pub ends_while_idle: u64,
}

/// A slot of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The schedule's name.
    pub schedule: String,
    /// The marker that may be busy only in the slot.
    pub subject: MarkerId,
    /// The marker whose planned spans are the slot's windows.
    pub plan: MarkerId,
}

/// Maximum number of windows of a slot.
const MAX_WINDOWS: u64 = 1 << 20;

impl AnalyzedRecording {
    pub(crate) fn add_hardware(
        &mut self,
        declaration: &HardwareDeclaration,
    ) -> Result<(), TimingError> {
        let error = |message: String| TimingError {
            line: declaration.line,
            message,
        };
        let name = declaration.name.as_str();
        if self.markers.find(name).is_some() {
            return Err(error(format!(
                "the name {name:?} is already used by a marker"
            )));
        }
        let trace = &self.trace;
        let kicks = matching(trace, &declaration.kick).map_err(error)?;
        let ends = match &declaration.done {
            DoneSource::Events(filter) => matching(trace, filter).map_err(error)?,
            DoneSource::Isr(isr) => self.isr_entries(isr).map_err(error)?,
        };
        let marker = self.markers.add_name(name);
        let mut busy = BusyTracker::new(marker);
        busy.follow(&self.trace, &kicks, &ends);
        self.markers.spans.append(&mut busy.spans);
        if busy.unit.kicks_while_busy > 0 {
            let message = format!(
                "{} of {name} while it was busy",
                pluralise(busy.unit.kicks_while_busy, "kick", "kicks")
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::KickWhileBusy, message)
                .with_count(busy.unit.kicks_while_busy);
            self.diagnostics
                .push(match busy.unit.first_kick_while_busy {
                    Some(event) => diagnostic.at_event(event),
                    None => diagnostic,
                });
        }
        self.hardware.units.push(busy.unit);
        Ok(())
    }

    /// The recorded entries of the interrupt service routines with a name.
    fn isr_entries(&self, name: &str) -> Result<Vec<EventIndex>, String> {
        let schedule = &self.schedule;
        let entered = schedule.activations.iter().filter(|isr| isr.entered);
        let named = entered.filter(|isr| schedule.isr_name(isr.number) == name);
        let mut entries: Vec<_> = named.map(|isr| isr.first).collect();
        if entries.is_empty() {
            return Err(format!("no interrupt service routine is named {name:?}"));
        }
        entries.sort_unstable();
        Ok(entries)
    }

    pub(crate) fn add_schedule(&mut self, schedule: &SlotSchedule) -> Result<(), TimingError> {
        let error = |message: String| TimingError {
            line: schedule.line,
            message,
        };
        let anchors = matching(&self.trace, &schedule.anchor).map_err(error)?;
        let cycle = schedule.cycle.ticks(&self.trace).map_err(error)?.0;
        let starts = cycle_starts(&self.trace, &anchors, cycle).map_err(error)?;
        for slot in &schedule.slots {
            let offset = slot.offset.ticks(&self.trace).map_err(error)?.0;
            let length = slot.length.ticks(&self.trace).map_err(error)?.0;
            let subject = self.markers.find(&slot.subject).ok_or_else(|| {
                error(format!("no hardware or marker is named {:?}", slot.subject))
            })?;
            let name = format!("{}: {}", schedule.name, slot.subject);
            if self.markers.find(&name).is_some() {
                return Err(error(format!("the name {name:?} is used twice")));
            }
            let plan = self.markers.add_name(&name);
            let span = self.trace.events.span().0;
            let windows = starts.iter().map(|start| {
                let from = start.saturating_add(offset);
                (from, from.saturating_add(length).min(span))
            });
            let windows = windows.filter(|(from, to)| from < to);
            self.markers
                .planned
                .extend(windows.map(|(from, to)| PlannedSpan {
                    marker: plan,
                    start: Ticks(from),
                    end: Ticks(to),
                }));
            self.hardware.slots.push(Slot {
                schedule: schedule.name.clone(),
                subject,
                plan,
            });
        }
        Ok(())
    }
}

fn matching(trace: &Trace, filter: &Filter) -> Result<Vec<EventIndex>, String> {
    let bound = filter.bind(trace).map_err(|error| error.to_string())?;
    Ok(bound.matching().collect())
}

/// The starts of cycles: at each anchor, and at each length of a cycle after it until the
/// next anchor.
fn cycle_starts(trace: &Trace, anchors: &[EventIndex], cycle: u64) -> Result<Vec<u64>, String> {
    if cycle == 0 {
        return Err("a cycle of 0 ticks".to_owned());
    }
    let time = |event: &EventIndex| trace.events.time(*event).unwrap_or_default().0;
    let ends = anchors.iter().skip(1).map(time);
    let ends = ends.chain([trace.events.span().0]);
    let mut starts = Vec::new();
    for (start, end) in anchors.iter().map(time).zip(ends) {
        let cycles = end.saturating_sub(start).div_ceil(cycle).max(1);
        if cycles.saturating_add(starts.len() as u64) > MAX_WINDOWS {
            return Err(format!("more than {MAX_WINDOWS} cycles in the trace"));
        }
        starts.extend((0..cycles).map(|number| start + number * cycle));
    }
    Ok(starts)
}

/// Follows kicks and ends.
struct BusyTracker {
    unit: HardwareUnit,
    spans: Vec<MarkerSpan>,
    is_busy: bool,
    /// Whether the hardware is known to be idle.
    is_idle: bool,
}

impl BusyTracker {
    fn new(marker: MarkerId) -> Self {
        Self {
            unit: HardwareUnit {
                marker,
                kicks_while_busy: 0,
                first_kick_while_busy: None,
                ends_while_idle: 0,
            },
            spans: Vec::new(),
            is_busy: false,
            is_idle: false,
        }
    }

    fn follow(&mut self, trace: &Trace, kicks: &[EventIndex], ends: &[EventIndex]) {
        let time = |event: EventIndex| trace.events.time(event).unwrap_or_default();
        let mut kicks = kicks.iter().copied().peekable();
        let mut ends = ends.iter().copied().peekable();
        let mut gaps = trace.gaps.iter().peekable();
        loop {
            // An event that is both ends what was before.
            let is_end = match (kicks.peek(), ends.peek()) {
                (Some(kick), Some(end)) => end <= kick,
                (kick, end) => kick.is_none() && end.is_some(),
            };
            let event = if is_end { ends.next() } else { kicks.next() };
            let until = event.unwrap_or(EventIndex(u32::MAX));
            while let Some(gap) = gaps.next_if(|gap| gap.next_event <= until) {
                let [last, _] = trace.gap_bounds(gap);
                self.close(last, SpanEnding::Lost);
                self.is_idle = false;
            }
            let Some(event) = event else { break };
            if is_end {
                self.end(event, time(event));
            } else {
                self.kick(event, time(event));
            }
        }
        self.close(trace.events.span(), SpanEnding::Open);
    }

    fn kick(&mut self, event: EventIndex, time: Ticks) {
        if self.is_busy {
            self.unit.kicks_while_busy += 1;
            self.unit.first_kick_while_busy.get_or_insert(event);
            return;
        }
        self.is_busy = true;
        self.spans.push(MarkerSpan {
            marker: self.unit.marker,
            value: self.spans.len() as u64,
            begin: Some(event),
            end: None,
            start: time,
            until: time,
            ending: SpanEnding::Open,
        });
    }

    fn end(&mut self, event: EventIndex, time: Ticks) {
        if !self.is_busy {
            self.unit.ends_while_idle += u64::from(self.is_idle);
            return;
        }
        self.close(time, SpanEnding::Ended);
        if let Some(span) = self.spans.last_mut() {
            span.end = Some(event);
        }
        self.is_idle = true;
    }

    fn close(&mut self, until: Ticks, ending: SpanEnding) {
        if std::mem::take(&mut self.is_busy)
            && let Some(span) = self.spans.last_mut()
        {
            span.until = until.max(span.start);
            span.ending = ending;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::switch_log::{A, log};
    use crate::fixture::switch_log::{SLEEP, WAKE, enter, exit, on_one_core, resume, scripted};
    use crate::report::hardware::hardware;
    use crate::timing::TimingDeclarations;
    use crate::{AnalysisBuilder, AnalyzedRecording, RecordingInfo};

    /// A log in which thread A runs from 0 to 100 and the core then sleeps; ISR 0,
    /// `uart_isr`, comes at 30, 60 and 150.
    fn recording() -> AnalyzedRecording {
        let events = on_one_core(&[
            (0, resume(A)),
            (30, enter(0)),
            (32, exit(0)),
            (60, enter(0)),
            (62, exit(0)),
            (100, SLEEP),
            (150, enter(0)),
            (152, exit(0)),
            (200, WAKE),
            (200, resume(A)),
        ]);
        let trace = log(&events, false);
        let mut builder = AnalysisBuilder::new(&trace);
        builder.push(&trace, &mut scripted(&events), trace.events.len());
        let analysis = builder.finish(&trace);
        AnalyzedRecording::from_analysis(RecordingInfo::default(), trace, analysis)
    }

    fn apply(recording: &mut AnalyzedRecording, text: &str) -> Result<(), String> {
        let file = TimingDeclarations::parse(text).unwrap();
        recording
            .apply_timing(&file)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn busy_and_down_time_follow_kicks_and_ends() {
        let mut recording = recording();
        let file = r#"
            [[hardware]]
            name = "dma"
            kick = "event == 0 or event == 2 or event == 3 or event == 5"
            done_isr = "uart_isr"
            [[slots]]
            name = "mode"
            anchor = "event == 0"
            cycle = "100 ticks"
            slots = [{ subject = "dma", offset = "0 ticks", length = "50 ticks" }]
        "#;
        apply(&mut recording, file).unwrap();
        let found = hardware(&recording.view());
        let [dma] = &found.units[..] else {
            panic!("{:?}", found.units);
        };
        // Busy 0 to 30, 32 to 60, 60 to 150; the kick at 100 finds it busy.
        assert_eq!(
            (dma.kicks, dma.busy_time, dma.kicks_while_busy),
            (3, 148, 1)
        );
        let down = dma.down.as_ref().unwrap();
        assert_eq!((down.count, down.min, down.max), (2, 0, 2));
        // It is idle from 100 to 150.
        let idle = dma.cpu_idle_percent.unwrap();
        assert!((idle - 50.0 / 148.0 * 100.0).abs() < 0.01, "{idle}");
        let worked = dma.cpu_worked_percent.unwrap();
        assert!((worked + idle - 100.0).abs() < 0.01, "{worked}");
        let [slot] = &found.slots[..] else {
            panic!("{:?}", found.slots);
        };
        assert_eq!((slot.spans, slot.outside), (3, 2));
        assert_eq!((slot.max_late, slot.max_early), (10, 40));
        let kinds = recording.diagnostics.iter().map(|it| it.kind.name());
        assert!(kinds.into_iter().any(|kind| kind == "kick-while-busy"));
    }

    #[test]
    fn mistakes_name_their_line() {
        let declared = |kick: &str, isr: &str| {
            let text =
                format!("[[hardware]]\nname = \"dma\"\nkick = '{kick}'\ndone_isr = \"{isr}\"\n");
            apply(&mut recording(), &text)
        };
        assert_eq!(declared("event == 0", "uart_isr"), Ok(()));
        assert_eq!(
            declared("event == 0", "nothing").unwrap_err(),
            "line 2: no interrupt service routine is named \"nothing\""
        );
        let unknown = declared("context == \"missing\"", "uart_isr").unwrap_err();
        assert!(unknown.starts_with("line 2: "), "{unknown}");
    }
}
