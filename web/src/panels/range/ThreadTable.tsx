/** The threads of the selected lanes beside each other. */

import type { Distribution, ReportDocument } from "../../session/documents";
import { Button } from "../../shell/controls";
import { plural } from "../../state/format";
import { showLane } from "../../state/shown-lane";
import type { TraceState } from "../../state/trace";
import { distribution, durationCell } from "../reports/views/columns";
import type { Column } from "../table/column";
import { Share } from "../table/Share";
import { SortableTable } from "../table/SortableTable";

/** The reports of the table; each has the threads in the same order. */
export type ThreadReports = Required<Pick<ReportDocument, "profile" | "threads" | "latency">>;

interface ThreadFigures {
  name: string;
  /** Number of its context; `null` if it is not known which. */
  context: number | null;
  duration: number;
  percent: number | null;
  runs: number;
  run: Distribution | null;
  ready: number | null;
  /** `null` if waits are not recorded. */
  waits: number | null;
  longestWait: Distribution | null;
  wakeUp: Distribution | null;
}

/** The figures of each thread of the reports; `contexts` are those that were asked for. */
export function threadFigures(
  { profile, threads, latency }: ThreadReports,
  contexts: readonly number[],
): ThreadFigures[] {
  const cpuTimes = profile.filter(({ kind }) => kind === "thread");
  const isComplete = threads.length === contexts.length;
  return threads.map(({ name, dispatches, run, states }, at) => {
    const waited = latency.threads[at]?.waited ?? null;
    const durations = waited?.map(({ duration }) => duration);
    return {
      name,
      context: isComplete ? (contexts[at] ?? null) : null,
      duration: cpuTimes[at]?.duration ?? 0,
      percent: cpuTimes[at]?.percent ?? null,
      runs: dispatches,
      run,
      ready: states.ready,
      waits: durations?.reduce((sum, { count }) => sum + count, 0) ?? null,
      longestWait: durations?.toSorted((one, other) => other.max - one.max)[0] ?? null,
      wakeUp: latency.threads[at]?.wake_up ?? null,
    };
  });
}

/** The maximum of a distribution, with its link. */
function longest(
  trace: TraceState,
  title: string,
  hint: string,
  of: (row: ThreadFigures) => Distribution | null,
): Column<ThreadFigures> {
  const [max] = distribution(trace, of);
  return { ...(max as Column<ThreadFigures>), title, hint };
}

function columnsOf(trace: TraceState): Column<ThreadFigures>[] {
  const count = (
    title: string,
    hint: string,
    value: (row: ThreadFigures) => number | null,
  ): Column<ThreadFigures> => ({ title, hint, value, isNumber: true });
  const ticks = (
    title: string,
    hint: string,
    value: (row: ThreadFigures) => number | null,
  ): Column<ThreadFigures> => ({
    ...count(title, hint, value),
    show: (row) => durationCell(trace, value(row)),
  });
  return [
    {
      title: "Thread",
      value: ({ name }) => name,
      show: ({ name, context }) =>
        context === null ? (
          name
        ) : (
          <Button class="link" title="Show the lane" onClick={() => showLane(trace, context)}>
            {trace.lanes.contextTitle(context)}
          </Button>
        ),
    },
    ticks("CPU time", "Without interrupts", ({ duration }) => duration),
    {
      ...count("Share", "Of the time of all cores", ({ percent }) => percent),
      show: ({ percent }) => <Share percent={percent} />,
    },
    count("Runs", "Dispatches", ({ runs }) => runs),
    longest(trace, "Longest run", "Uninterrupted", ({ run }) => run),
    ticks("Ready", "Time without a core", ({ ready }) => ready),
    count("Waits", "Waits that ended in the range", ({ waits }) => waits),
    longest(trace, "Longest wait", "Of the waits that ended", ({ longestWait }) => longestWait),
    longest(trace, "Wake-up", "Longest time from resumption to running", ({ wakeUp }) => wakeUp),
  ];
}

interface ThreadTableProps {
  trace: TraceState;
  reports: ThreadReports;
  contexts: readonly number[];
}

export function ThreadTable({ trace, reports, contexts }: ThreadTableProps) {
  const clear = () => trace.lanes.select([]);
  return (
    <section>
      <h3>
        {plural(contexts.length, "selected lane")}{" "}
        <Button class="link" onClick={clear}>
          all threads
        </Button>
      </h3>
      <SortableTable
        label="Selected lanes"
        columns={columnsOf(trace)}
        rows={threadFigures(reports, contexts)}
        initial={{ column: 1, descending: true }}
      />
    </section>
  );
}
