/** Names of the rows above the lanes: CPU load, intervals, and the result of a query. */

import { contextMenu } from "../../shell/context-menu/context-menu";
import { Button, set } from "../../shell/controls";
import { countText } from "../../state/format";
import { resultLane } from "../../state/result-lane";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { loadTitle } from "../cpu-load/facts";
import { loadMenu } from "../cpu-load/load-menu";
import { intervalsProperty } from "../intervals/bars";
import type { IntervalsRow, LoadRow, TopRow } from "../layout";
import { RESULT_TITLE } from "../result/items";
import type { TimelineView } from "../view";

/** Position and height. */
type RowStyle = { transform: string; height: string };

interface TopRowNameProps {
  view: TimelineView;
  row: TopRow;
  place: RowStyle;
  /** Sets the scroll position of the lanes. */
  scroll: (top: number) => void;
}

export function TopRowName({ view, row, place, scroll }: TopRowNameProps) {
  switch (row.kind) {
    case "load":
      return <LoadName view={view} row={row} place={place} scroll={scroll} />;
    case "intervals":
      return <IntervalsName row={row} place={place} />;
    case "result":
      return <ResultName trace={view.trace} place={place} />;
  }
}

function LoadName({ view, row, place, scroll }: TopRowNameProps & { row: LoadRow }) {
  const { core, expanded } = row;
  const axis = view.trace.axis.value;
  const isTime = axis === "time";
  const toggle = () => {
    settings.cpuLoadOfCores.value = !settings.cpuLoadOfCores.peek();
  };
  const openMenu = (from: HTMLElement) => {
    const { left, bottom } = from.getBoundingClientRect();
    contextMenu.value = { ...loadMenu(view, core, scroll), x: left, y: bottom, from };
  };
  return (
    <div class="lane-name load" style={place}>
      {core === null ? null : <span class="lane-indent" />}
      {expanded === null ? null : (
        <Button
          class="lane-toggle plain"
          aria-label={`${loadTitle(null, axis)} of each core`}
          aria-expanded={expanded}
          onClick={toggle}
        >
          {expanded ? "▾" : "▸"}
        </Button>
      )}
      <Button
        class="plain lane-text"
        aria-haspopup="menu"
        title={`${isTime ? "Shares of CPU time" : "Shares of the events at which each context runs"}, stacked. Click on a band to select its context, or here for a list.`}
        onClick={(event) => openMenu(event.currentTarget)}
        onContextMenu={(event) => {
          event.preventDefault();
          openMenu(event.currentTarget);
        }}
      >
        {loadTitle(core, axis)}
      </Button>
      {core === null ? <span class="lane-note">0–100 %</span> : null}
    </div>
  );
}

function IntervalsName({ row: { name, number }, place }: { row: IntervalsRow; place: RowStyle }) {
  return (
    <div class="lane-name intervals" style={place}>
      <span class="lane-swatch" style={{ background: `var(${intervalsProperty(number)})` }} />
      <Button
        class="plain lane-text"
        title={`${name}\nShow the figures`}
        onClick={set(settings.sidePanel, "intervals")}
      >
        {name}
      </Button>
    </div>
  );
}

function ResultName({ trace, place }: { trace: TraceState; place: RowStyle }) {
  const lane = resultLane(trace);
  const isHidden = trace.axis.value === "index" && lane.value?.events === null;
  const title = isHidden
    ? "The result has no events, so it is shown over time only."
    : "Rows of the SQL panel";
  return (
    <div class="lane-name result" title={title} style={place}>
      <span class="lane-text">{RESULT_TITLE}</span>
      <span class="lane-note">
        {isHidden ? "over time only" : countText(lane.value?.starts.length ?? 0)}
      </span>
      <Button
        class="lane-toggle plain"
        aria-label="Remove the lane of the SQL result"
        onClick={set(lane, null)}
      >
        ×
      </Button>
    </div>
  );
}
