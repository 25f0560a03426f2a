//! TypeScript of the report document, and of the titles and tables of reports, for the
//! viewer.

use super::tables::description::{self, ColumnDescription, TableDescription};
use super::*;
use serde_json::{Value, json};

#[test]
fn typescript_types_are_current() {
    let text = rtoscope_fixtures::typescript![
        "crates/analysis";
        ReportDocument,
        findings::Finding,
        findings::FindingSeverity,
        findings::FindingCategory,
        profile::ProfileRow,
        profile::ProfileKind,
        performance::Performance,
        performance::Preemptions,
        performance::InversionCounts,
        threads::ThreadRow,
        threads::ThreadStateTimes,
        stacks::StackRow,
        stacks::StackUsage,
        services::ServiceRow,
        inversions::InversionRow,
        inversions::CulpritRow,
        latency::Latency,
        latency::ThreadLatency,
        latency::WaitRow,
        latency::InterruptBurst,
        periods::PeriodRow,
        periods::PeriodJitter,
        deadlines::DeadlineRow,
        deadlines::DeadlineVerdict,
        deadlines::DeadlineMiss,
        deadlines::MissCause,
        pipeline::PipelineRow,
        pipeline::PipelineStageRow,
        pipeline::PipelineMiss,
        intervals::IntervalRow,
        intervals::IntervalEntry,
        Distribution,
        HistogramBin,
        Hex,
        isr::IsrRow,
        locks::LockRow,
        locks::MaxHold,
        objects::ObjectRow,
        objects::LevelRow,
        objects::WaiterTotals,
        load::Load,
        load::LoadPeak,
        load::LoadRow,
        context_switches::ContextSwitches,
        context_switches::TimeShare,
        context_switches::IdleTime,
        context_switches::IdleWakeUps,
        context_switches::HandlerRow,
        communication::Communication,
        communication::ObjectUse,
        communication::FlowRow,
        context_switches::ThreadSwitchRow,
        context_switches::InterruptsOffReport,
        context_switches::UnknownDurations,
        context_switches::InterruptsOffRow,
        context_switches::CodeLocationRow,
        markers::MarkerRow,
        hardware::HardwareReport,
        hardware::HardwareRow,
        hardware::SlotRow,
        active::ActiveObjectRow,
        active::ActiveObjectQueue,
        active::StepEndings,
        active::QueuePeak,
        signals::SignalRow,
        signals::SlowestResponse,
        states::MachineStates,
        states::StateRow,
        transitions::Transitions,
        transitions::TransitionRow,
        transitions::ActionCount,
        transitions::NeverEnteredState,
        timers::TimerRow,
        timers::NominalRuns,
        health::Health,
        health::Coverage,
        health::GapRow,
        health::ClockHealth,
        health::RegistryHealth,
        health::ActiveObjectHealth,
        health::SeverityCounts,
        health::DiagnosticRow,
        critical_path::CriticalPathReport,
        critical_path::PathSegmentRow,
        critical_path::PathResumption,
        critical_path::PathContextTotal,
        critical_path::PathCauseTotal,
        CellKind,
        ColumnDescription,
        TableDescription,
    ];
    let text = text + &constants();
    rtoscope_fixtures::assert_current("web/src/session/reports.ts", &text);
}

/// The titles of the reports and their tables.
fn constants() -> String {
    let findings = json!({ "kind": "findings", "title": FINDINGS_TITLE });
    let kinds = ReportKind::ALL.iter();
    let kinds = kinds.map(|kind| json!({ "kind": kind.name(), "title": kind.title() }));
    let reports: Vec<_> = std::iter::once(findings).chain(kinds).collect();
    let tables = description::tables().into_iter();
    let tables = tables.map(|(path, table)| (path.to_owned(), json!(table)));
    let constant = |name: &str, docs: &str, value: Value, shape: &str| {
        let value = serde_json::to_string_pretty(&value).unwrap();
        format!("\n/** {docs} */\nexport const {name} = {value} as const satisfies {shape};\n")
    };
    let labels = [
        ("ISR_TO_THREAD_LABEL", latency::Latency::ISR_TO_THREAD_LABEL),
        (
            "INTERRUPT_BURST_LABEL",
            latency::Latency::INTERRUPT_BURST_LABEL,
        ),
    ];
    let labels = labels.map(|(name, label)| format!("\nexport const {name} = {label:?};\n"));
    labels.concat()
        + &constant(
            "REPORTS",
            "The findings and the reports, in display order.",
            Value::Array(reports),
            "readonly { kind: string; title: string }[]",
        )
        + &constant(
            "TABLES",
            "The tables by the path of their rows in a report document; `*` is any index.",
            Value::Object(tables.collect()),
            "Record<string, TableDescription>",
        )
}
