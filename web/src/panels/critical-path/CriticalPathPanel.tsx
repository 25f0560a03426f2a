/** The critical path of an event: segments and totals. */

import { useEffect } from "preact/hooks";
import type {
  CriticalPathReport,
  PathCauseTotal,
  PathContextTotal,
  PathSegmentRow,
} from "../../session/reports";
import { pathReport, pathSelection } from "../../state/critical-path";
import { countText, durationText, plural, shownClock } from "../../state/format";
import { showTime } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { EventLink } from "../EventLink";
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

const segmentColumns = (trace: TraceState): Column<PathSegmentRow>[] => [
  {
    title: "Start",
    value: (row) => row.start_ticks,
    isNumber: true,
    show: (row) => durationCell(trace, row.start_ticks, row.event),
  },
  {
    title: "Duration",
    value: (row) => row.ticks,
    isNumber: true,
    show: (row) => durationCell(trace, row.ticks),
  },
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
  {
    title: "Time",
    value: (row) => row.ticks,
    isNumber: true,
    show: (row) => durationCell(trace, row.ticks),
  },
  {
    title: "Share",
    value: (row) => row.share,
    isNumber: true,
    show: (row) => <Share percent={row.share} />,
  },
];

const causeColumns = (trace: TraceState): Column<PathCauseTotal>[] => [
  { title: "Context", value: (row) => row.context },
  { title: "Cause", value: (row) => row.cause },
  {
    title: "Time",
    value: (row) => row.ticks,
    isNumber: true,
    show: (row) => durationCell(trace, row.ticks, row.event),
  },
  {
    title: "Share",
    value: (row) => row.share,
    isNumber: true,
    show: (row) => <Share percent={row.share} />,
  },
];

function PathTables({ trace, path }: { trace: TraceState; path: CriticalPathReport }) {
  return (
    <div class="report">
      <section>
        <h3>Segments</h3>
        <SortableTable label="Segments" columns={segmentColumns(trace)} rows={path.segments} />
      </section>
      <section>
        <h3>Time by context</h3>
        <SortableTable
          label="Time by context"
          columns={contextColumns(trace)}
          rows={path.contexts}
        />
      </section>
      <section>
        <h3>Time by cause</h3>
        <SortableTable label="Time by cause" columns={causeColumns(trace)} rows={path.causes} />
      </section>
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
      {answer && (
        <dl class="facts" data-testid="path">
          <dt>Event</dt>
          <dd>
            <EventLink trace={trace} event={answer.event} />
          </dd>
          <dt>Duration</dt>
          <dd>
            {durationText(answer.ticks, hz)}, {plural(answer.segments.length, "segment")}
          </dd>
          <dt>Goes back to</dt>
          <dd>{answer.origin_text}</dd>
        </dl>
      )}
      <div class="row">
        {selected !== undefined && selected !== shown.event && (
          <button
            type="button"
            onClick={() => {
              selection.value = { ...shown, event: selected };
            }}
          >
            Path of event {countText(selected)}
          </button>
        )}
        <button
          type="button"
          disabled={!answer}
          onClick={() => {
            if (answer) void showTime(trace, answer.start_ticks, answer.end_ticks);
          }}
        >
          Zoom to the path
        </button>
        <button
          type="button"
          onClick={() => {
            selection.value = null;
          }}
        >
          Clear
        </button>
        <label title="Go back to the start of the trace, also through waits that interrupts and timers ended">
          <input
            type="checkbox"
            checked={shown.isBeyond}
            onChange={(event) => {
              selection.value = { ...shown, isBeyond: event.currentTarget.checked };
            }}
          />{" "}
          Beyond the first cause
        </label>
      </div>
      {error !== null && <p class="problem">{error}</p>}
      {!isWaiting && error === null && answer === null && (
        <p class="nothing">There is no event {countText(shown.event)}.</p>
      )}
      {answer && <PathTables trace={trace} path={answer} />}
    </div>
  );
}
