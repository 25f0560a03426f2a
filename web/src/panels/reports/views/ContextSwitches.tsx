/** Report on context switches. */

import type {
  InterruptsOffReport,
  ContextSwitches as Switches,
  TimeShare,
} from "../../../session/reports";
import { decimalText, durationText, plural, shareText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { SortableTable } from "../../table/SortableTable";
import {
  type ColumnKey,
  distribution,
  labelOf,
  type Measure,
  measuresOf,
  tableOf,
} from "./columns";
import { type Figure, FigureList } from "./FigureList";
import { Histogram } from "./Histogram";
import { ReportTable } from "./ReportTable";

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
  const label = (key: ColumnKey<"context_switches">) => labelOf("context_switches", key);
  return [
    { name: label("dispatches"), value: found.dispatches },
    ...(rate === null
      ? []
      : [{ name: label("dispatches_per_second"), value: decimalText(rate), isPart: true }]),
    { name: label("context_switches"), value: found.context_switches },
    ...Object.entries(found.resumes).map(([name, value]) => ({ name, value, isPart: true })),
    {
      name: label("idle.percent"),
      value: `${part(found.idle)} in ${plural(found.idle.periods, "period")}`,
    },
    { name: label("kernel.percent"), value: part(found.kernel) },
    { name: label("unknown.percent"), value: part(found.unknown) },
    ...(found.gaps === 0 ? [] : [{ name: label("gaps"), value: found.gaps, isPart: true }]),
    {
      name: label("interrupts_off.percent"),
      value: off && `${part(off)} in ${plural(off.count, "section")}`,
    },
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
  const path = "context_switches.interrupts_off.longest";
  return (
    <section>
      <h3>{tableOf(path).title}</h3>
      {off.duration && <Histogram trace={trace} label="Interrupts off" of={off.duration} />}
      <ReportTable trace={trace} path={path} rows={off.longest} />
    </section>
  );
}

export function ContextSwitches({ trace, found }: { trace: TraceState; found: Switches }) {
  const measured = measuresOf<Switches>("context_switches").filter(({ of }) => of(found) !== null);
  return (
    <>
      <FigureList label={tableOf("context_switches").title} figures={figuresOf(trace, found)} />
      <ReportTable trace={trace} path="context_switches.threads" rows={found.threads} />
      <ReportTable trace={trace} path="context_switches.handlers" rows={found.handlers} />
      <SortableTable
        label="Durations"
        columns={[
          { title: "Measure", value: (row) => row.title },
          ...distribution<Measure<Switches>>(trace, ({ of }) => of(found)),
        ]}
        rows={measured}
        empty="No measurements."
      />
      {found.interrupts_off && <LongestSections trace={trace} off={found.interrupts_off} />}
    </>
  );
}
