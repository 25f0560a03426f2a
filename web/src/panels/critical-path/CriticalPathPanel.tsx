/** The critical path of an event: segments and totals. */

import { useEffect } from "preact/hooks";
import type {
  CriticalPathReport,
  PathCauseTotal,
  PathContextTotal,
  PathSegmentRow,
} from "../../session/reports";
import { Button, Check, set } from "../../shell/controls";
import { pathOf, pathReport, pathSelection } from "../../state/critical-path";
import { countText, durationText, plural, shownClock } from "../../state/format";
import { showTime } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";
import { FactList } from "../FactList";
import { durationCell } from "../reports/views/columns";
import type { Column } from "../table/column";
import { Share } from "../table/Share";
import { SortableTable } from "../table/SortableTable";
import { useAnswer } from "../useAnswer";
import "../panel.css";
import "../reports/reports.css";
import "./critical-path.css";

/** Maximum number of segments. */
const LIMIT = 1000;

/** Columns of times, with a link to an event if there is one, and of their shares. */
function timeColumn<R>(
  trace: TraceState,
  title: string,
  value: (row: R) => number,
  event: (row: R) => number | null = () => null,
): Column<R> {
  const show = (row: R) => durationCell(trace, value(row), event(row));
  return { title, value, isNumber: true, show };
}

const SHARE: Column<{ share: number | null }> = {
  title: "Share",
  value: (row) => row.share,
  isNumber: true,
  show: (row) => <Share percent={row.share} />,
};

const segmentColumns = (trace: TraceState): Column<PathSegmentRow>[] => [
  timeColumn(
    trace,
    "Start",
    (row) => row.start,
    (row) => row.event,
  ),
  timeColumn(trace, "Duration", (row) => row.duration),
  {
    title: "Context",
    value: (row) => row.context,
    show: (row) => (
      <>
        {row.context}
        {row.blocks !== null && <span class="muted path-blocks">{row.blocks}</span>}
      </>
    ),
  },
  {
    title: "Cause",
    value: (row) => row.cause,
    show: (row) => (
      <>
        {row.cause}
        {row.resumes !== null && (
          <span class="path-resumes">
            <EventLink trace={trace} event={row.resumes.event}>
              resumes {row.resumes.context}
            </EventLink>
            <span class="muted">, {row.resumes.waited}</span>
          </span>
        )}
      </>
    ),
  },
];

const contextColumns = (trace: TraceState): Column<PathContextTotal>[] => [
  { title: "Context", value: (row) => row.context },
  timeColumn(trace, "Time", (row) => row.duration),
  SHARE,
];

const causeColumns = (trace: TraceState): Column<PathCauseTotal>[] => [
  { title: "Context", value: (row) => row.context },
  { title: "Cause", value: (row) => row.cause },
  timeColumn(
    trace,
    "Time",
    (row) => row.duration,
    (row) => row.event,
  ),
  SHARE,
];

function PathTables({ trace, path }: { trace: TraceState; path: CriticalPathReport }) {
  const table = <R,>(title: string, columns: Column<R>[], rows: readonly R[]) => (
    <section>
      <h3>{title}</h3>
      <SortableTable label={title} columns={columns} rows={rows} />
    </section>
  );
  return (
    <div class="report">
      {table("Segments", segmentColumns(trace), path.segments)}
      {table("Time by context", contextColumns(trace), path.contexts)}
      {table("Time by cause", causeColumns(trace), path.causes)}
    </div>
  );
}

export function CriticalPathPanel({ trace }: { trace: TraceState }) {
  const selection = pathSelection(trace);
  const shown = selection.value;
  const { answer, error, isWaiting } = useAnswer(
    trace,
    shown && {
      query: "critical-path",
      event: shown.event,
      context: shown.context,
      from: shown.isBeyond ? trace.extent.value.base.time : null,
      limit: LIMIT,
    },
    trace.frequencyHz.value,
  );
  useEffect(() => {
    const drawn = pathReport(trace);
    drawn.value = answer;
    return () => {
      drawn.value = null;
    };
  }, [trace, answer]);
  const selected = trace.selected.value?.event;
  if (shown === null) {
    return (
      <div class="panel">
        <p class="nothing">
          Select an event, then press <kbd>X</kbd>: its critical path leads back through all waits
          to the first cause.
        </p>
      </div>
    );
  }
  const hz = shownClock(trace);
  return (
    <div class="panel critical-path">
      {answer && <h2 class="path-title">Critical path of {answer.context}</h2>}
      {answer && (
        <FactList
          data-testid="path"
          facts={[
            ["Event", <EventLink trace={trace} event={answer.event} />],
            [
              "Duration",
              `${durationText(answer.duration, hz)}, ${plural(answer.segments.length, "segment")}`,
            ],
            ["Goes back to", answer.origin_text],
          ]}
        />
      )}
      <div class="row">
        {selected !== undefined && selected !== shown.event && (
          <Button onClick={set(selection, pathOf(trace, selected))}>
            Path of event {countText(selected)}
          </Button>
        )}
        <Button
          disabled={!answer}
          onClick={() => {
            if (answer) void showTime(trace, answer.start, answer.end);
          }}
        >
          Zoom to the path
        </Button>
        <Button onClick={set(selection, null)}>Clear</Button>
        <Check
          title="Go back to the start of the trace, also through waits that interrupts and timers ended"
          checked={shown.isBeyond}
          change={(isBeyond) => {
            selection.value = { ...shown, isBeyond };
          }}
        >
          Beyond the first cause
        </Check>
      </div>
      {error !== null && <p class="problem">{error}</p>}
      {!isWaiting && error === null && answer === null && (
        <p class="nothing">There is no event {countText(shown.event)}.</p>
      )}
      {answer && <PathTables trace={trace} path={answer} />}
    </div>
  );
}
