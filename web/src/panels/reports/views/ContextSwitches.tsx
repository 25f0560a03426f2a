/** Report on context switches. */

import type {
  Distribution,
  HandlerRow,
  InterruptsOffReport,
  InterruptsOffRow,
  ContextSwitches as Switches,
  ThreadSwitchRow,
  TimeShare,
} from "../../../session/reports";
import { durationText, plural, shareText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution, duration, event, share } from "./columns";
import { type Figure, FigureList } from "./FigureList";
import { Histogram } from "./Histogram";

interface MeasuredDurations {
  name: string;
  durations: Distribution | null | undefined;
}

/** Reasons for unknown durations of interrupts-off sections. */
const UNKNOWN_REASONS = [
  { key: "start_unknown", name: "Started before the recording" },
  { key: "switched", name: "Ended by a switch" },
  { key: "unrecorded", name: "End not recorded" },
  { key: "lost", name: "Ended by a gap" },
  { key: "open", name: "Open at the end" },
] as const;

function figuresOf(trace: TraceState, found: Switches): Figure[] {
  const part = ({ ticks, percent }: TimeShare) => {
    const text = durationText(ticks, shownClock(trace));
    return percent === null ? text : `${text} (${shareText(percent)})`;
  };
  const rate = found.dispatches_per_second;
  const off = found.interrupts_off;
  return [
    { name: "Dispatches", value: found.dispatches },
    ...(rate === null ? [] : [{ name: "Per second", value: rate.toFixed(1), isPart: true }]),
    { name: "Context switches", value: found.context_switches },
    ...Object.entries(found.resumes).map(([name, value]) => ({ name, value, isPart: true })),
    { name: "Idle", value: `${part(found.idle)} in ${plural(found.idle.periods, "period")}` },
    { name: "Interrupts and scheduler outside handlers", value: part(found.kernel) },
    { name: "Unknown", value: part(found.unknown) },
    ...(found.gaps === 0 ? [] : [{ name: "Gaps", value: found.gaps, isPart: true }]),
    { name: "Interrupts off", value: off && `${part(off)} in ${plural(off.count, "section")}` },
    ...(off === null
      ? []
      : [
          { name: "Nested disables", value: off.nested, isPart: true },
          ...UNKNOWN_REASONS.filter(({ key }) => off.unknown[key] > 0).map(({ key, name }) => ({
            name,
            value: off.unknown[key],
            isPart: true,
          })),
        ]),
  ];
}

function LongestSections({ trace, off }: { trace: TraceState; off: InterruptsOffReport }) {
  const columns: Column<InterruptsOffRow>[] = [
    duration(trace, "Duration", (row) => row.ticks),
    {
      title: "Exact",
      hint: "If not, the duration is a minimum",
      value: (row) => (row.complete ? "yes" : row.ending),
    },
    { title: "Context", value: (row) => row.handler ?? row.context },
    { title: "Disabled at", value: (row) => row.disabled_at?.text },
    { title: "Enabled at", value: (row) => row.enabled_at?.text },
    { title: "Nested", hint: "Disabled again meanwhile", value: (row) => row.nested },
    event(trace, "Start", (row) => row.first_event),
    event(trace, "End", (row) => row.last_event),
  ];
  return (
    <section>
      <h3>Longest interrupts-off sections</h3>
      {off.duration && <Histogram trace={trace} label="Interrupts off" of={off.duration} />}
      <SortableTable
        label="Longest interrupts-off sections"
        columns={columns}
        rows={off.longest}
        empty="No interrupts-off sections."
      />
    </section>
  );
}

export function ContextSwitches({ trace, found }: { trace: TraceState; found: Switches }) {
  const threads: Column<ThreadSwitchRow>[] = [
    { title: "Thread", value: (row) => row.name },
    share("Share", (row) => row.percent),
    duration(trace, "CPU time", (row) => row.ticks),
    { title: "Dispatches", value: (row) => row.dispatches },
    { title: "Resumed", value: (row) => row.resumes },
  ];
  const handlers: Column<HandlerRow>[] = [
    { title: "Handler", value: (row) => row.name },
    share("Share", (row) => row.percent),
    duration(trace, "CPU time", (row) => row.ticks),
    { title: "Activations", value: (row) => row.activations },
    { title: "Nested", value: (row) => row.nested },
    duration(
      trace,
      "Max",
      (row) => row.max_ticks,
      (row) => row.max_event,
    ),
  ];
  const measured: MeasuredDurations[] = [
    { name: "Interrupts off", durations: found.interrupts_off?.duration },
    { name: "Idle", durations: found.idle.duration },
    { name: "Idle to thread", durations: found.wake_ups.to_thread },
    { name: "Idle to idle", durations: found.wake_ups.spurious },
  ];
  const durations: Column<MeasuredDurations>[] = [
    { title: "Measure", value: (row) => row.name },
    ...distribution<MeasuredDurations>(trace, (row) => row.durations ?? null),
  ];
  return (
    <>
      <FigureList label="Context switches" figures={figuresOf(trace, found)} />
      <SortableTable
        label="Threads by CPU time"
        columns={threads}
        rows={found.threads}
        empty="No threads."
      />
      <SortableTable
        label="Handlers"
        columns={handlers}
        rows={found.handlers}
        empty="No handlers."
      />
      <SortableTable
        label="Durations"
        columns={durations}
        rows={measured.filter((row) => row.durations)}
        empty="No measurements."
      />
      {found.interrupts_off && <LongestSections trace={trace} off={found.interrupts_off} />}
    </>
  );
}
