/** The view of a report; empty until the document has it. */

import type { ReportDocument } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import type { ReportKind } from "../report-kinds";
import { ActiveObjects } from "./ActiveObjects";
import { Communication } from "./Communication";
import { ContextSwitches } from "./ContextSwitches";
import { Counters } from "./Counters";
import { Deadlines } from "./Deadlines";
import { Findings } from "./Findings";
import { Hardware } from "./Hardware";
import { Health } from "./Health";
import { Intervals } from "./Intervals";
import { Inversions } from "./Inversions";
import { Isr } from "./Isr";
import { Latency } from "./Latency";
import { Load } from "./Load";
import { Locks } from "./Locks";
import { Markers } from "./Markers";
import { Objects } from "./Objects";
import { Performance } from "./Performance";
import { Periods } from "./Periods";
import { Pipelines } from "./Pipelines";
import { Profile } from "./Profile";
import { Services } from "./Services";
import { Signals } from "./Signals";
import { Stacks } from "./Stacks";
import { States } from "./States";
import { Threads } from "./Threads";
import { Timers } from "./Timers";
import { TransitionTable } from "./TransitionTable";

interface ViewProps {
  trace: TraceState;
  kind: ReportKind;
  document: ReportDocument;
}

export function ReportView({ trace, kind, document: all }: ViewProps) {
  switch (kind) {
    case "findings":
      return <Findings trace={trace} findings={all.findings} />;
    case "profile":
      return all.profile && <Profile trace={trace} rows={all.profile} />;
    case "performance":
      return (
        all.performance && (
          <Performance trace={trace} counts={all.performance} threads={all.threads ?? []} />
        )
      );
    case "threads":
      return all.threads && <Threads trace={trace} rows={all.threads} />;
    case "stacks":
      return all.stacks && <Stacks trace={trace} rows={all.stacks} />;
    case "services":
      return all.services && <Services trace={trace} rows={all.services} />;
    case "inversions":
      return all.inversions && <Inversions trace={trace} rows={all.inversions} />;
    case "latency":
      return all.latency && <Latency trace={trace} latency={all.latency} />;
    case "periods":
      return all.periods && <Periods trace={trace} rows={all.periods} />;
    case "deadlines":
      return all.deadlines && <Deadlines trace={trace} rows={all.deadlines} />;
    case "pipeline":
      return all.pipeline && <Pipelines trace={trace} rows={all.pipeline} />;
    case "intervals":
      return all.intervals && <Intervals trace={trace} rows={all.intervals} />;
    case "isr":
      return all.isr && <Isr trace={trace} rows={all.isr} />;
    case "locks":
      return all.locks && <Locks trace={trace} rows={all.locks} />;
    case "objects":
      return all.objects && <Objects trace={trace} rows={all.objects} />;
    case "communication":
      return all.communication && <Communication trace={trace} found={all.communication} />;
    case "load":
      return all.load && <Load trace={trace} load={all.load} />;
    case "context-switches":
      return all.context_switches && <ContextSwitches trace={trace} found={all.context_switches} />;
    case "markers":
      return all.markers && <Markers trace={trace} rows={all.markers} />;
    case "hardware":
      return all.hardware && <Hardware trace={trace} found={all.hardware} />;
    case "active":
      return all.active && <ActiveObjects trace={trace} rows={all.active} />;
    case "signals":
      return all.signals && <Signals trace={trace} rows={all.signals} />;
    case "states":
      return all.states && <States trace={trace} machines={all.states} />;
    case "transitions":
      return all.transitions && <TransitionTable trace={trace} transitions={all.transitions} />;
    case "timers":
      return all.timers && <Timers trace={trace} rows={all.timers} />;
    case "filex":
      return all.filex && <Counters name="FileX" counts={all.filex} />;
    case "netx":
      return all.netx && <Counters name="NetX" counts={all.netx} />;
    case "usbx":
      return all.usbx && <Counters name="USBX" counts={all.usbx} />;
    case "health":
      return all.health && <Health trace={trace} health={all.health} />;
  }
}
