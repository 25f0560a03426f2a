/** What a log of context switches tells. */

import { durationText, plural, shareText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import type {
  Distribution,
  InterruptsOff,
  OffRow,
  SwitchedHandler,
  SwitchedThread,
  ContextSwitches as Switches,
  TimeShare,
} from "../document";
import { distribution, duration, event, share } from "./columns";
import { type Figure, Figures } from "./Figures";
import { Histogram } from "./Histogram";

interface Measured {
  name: string;
  durations: Distribution | null | undefined;
}

/** Why it is not known how long interrupts were off. */
const LIMITS = [
  { key: "begun_before", name: "Had begun before" },
  { key: "switched", name: "Until a switch at least" },
  { key: "unseen", name: "Ended without a record" },
  { key: "lost", name: "Until a gap at least" },
  { key: "open", name: "Until the end at least" },
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
    ...(rate === null ? [] : [{ name: "A second", value: rate.toFixed(1), isPart: true }]),
    { name: "Context switches", value: found.context_switches },
    ...Object.entries(found.resumes).map(([name, value]) => ({ name, value, isPart: true })),
    { name: "Idle", value: `${part(found.idle)} in ${plural(found.idle.periods, "time")}` },
    { name: "Interrupts and scheduler outside of handlers", value: part(found.kernel) },
    { name: "Not known", value: part(found.unknown) },
    ...(found.gaps === 0 ? [] : [{ name: "Gaps", value: found.gaps, isPart: true }]),
    { name: "Interrupts off", value: off && `${part(off)} in ${plural(off.count, "time")}` },
    ...(off === null
      ? []
      : [
          { name: "Left disabled meanwhile", value: off.nested, isPart: true },
          ...LIMITS.filter(({ key }) => off.unknown[key] > 0).map(({ key, name }) => ({
            name,
            value: off.unknown[key],
            isPart: true,
          })),
        ]),
  ];
}

function Longest({ trace, off }: { trace: TraceState; off: InterruptsOff }) {
  const columns: Column<OffRow>[] = [
    duration(trace, "Time", (row) => row.ticks),
    {
      title: "Exact",
      hint: "If not, it lasted that long at least",
      value: (row) => (row.exact ? "yes" : row.ending),
    },
    { title: "By", value: (row) => row.handler ?? row.context },
    { title: "Disabled at", value: (row) => row.from?.text },
    { title: "Enabled at", value: (row) => row.to?.text },
    { title: "Nested", hint: "Left disabled meanwhile", value: (row) => row.nested },
    event(trace, "From", (row) => row.first_event),
    event(trace, "To", (row) => row.last_event),
  ];
  return (
    <section>
      <h3>Interrupts off for longest</h3>
      {off.duration && <Histogram trace={trace} label="Interrupts off" of={off.duration} />}
      <SortableTable
        label="Interrupts off for longest"
        columns={columns}
        rows={off.longest}
        empty="No interrupt was off."
      />
    </section>
  );
}

export function ContextSwitches({ trace, found }: { trace: TraceState; found: Switches }) {
  const threads: Column<SwitchedThread>[] = [
    { title: "Thread", value: (row) => row.name },
    share("Share", (row) => row.percent),
    duration(trace, "Time", (row) => row.ticks),
    { title: "Dispatches", value: (row) => row.dispatches },
    { title: "Resumed", value: (row) => row.resumes },
  ];
  const handlers: Column<SwitchedHandler>[] = [
    { title: "Handler", value: (row) => row.name },
    share("Share", (row) => row.percent),
    duration(trace, "Time", (row) => row.ticks),
    { title: "Began", value: (row) => row.activations },
    { title: "Nested", value: (row) => row.nested },
    duration(
      trace,
      "Longest",
      (row) => row.longest_ticks,
      (row) => row.longest_event,
    ),
  ];
  const measured: Measured[] = [
    { name: "Interrupts off", durations: found.interrupts_off?.duration },
    { name: "Idle", durations: found.idle.duration },
    { name: "From idle to a thread", durations: found.wake_ups.to_thread },
    { name: "From idle to idle", durations: found.wake_ups.in_vain },
  ];
  const durations: Column<Measured>[] = [
    { title: "What", value: (row) => row.name },
    ...distribution<Measured>(trace, (row) => row.durations ?? null),
  ];
  return (
    <>
      <Figures label="Context switches" figures={figuresOf(trace, found)} />
      <SortableTable
        label="Threads by time"
        columns={threads}
        rows={found.threads}
        empty="There are no threads."
      />
      <SortableTable
        label="Handlers"
        columns={handlers}
        rows={found.handlers}
        empty="There are no handlers."
      />
      <SortableTable
        label="How long each lasted"
        columns={durations}
        rows={measured.filter((row) => row.durations)}
        empty="Nothing was measured."
      />
      {found.interrupts_off && <Longest trace={trace} off={found.interrupts_off} />}
    </>
  );
}
