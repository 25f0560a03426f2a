/** The lane between two recordings: the CPU load of both, and the difference. */

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Window } from "../../session/wire";
import type { Comparison } from "../../state/comparison/comparison";
import { type AxisLink, linkedInterval } from "../../state/comparison/link";
import {
  areaPath,
  columnsOf,
  differenceOf,
  type LoadColumns,
  linePath,
  meanOf,
} from "../../state/comparison/load-difference";
import { shareText } from "../../state/format";
import type { Interval } from "../../state/interval";
import { MAX_NAMES_SHARE, settings } from "../../state/settings";
import { showError } from "../../state/viewer";
import { LatestQuery } from "../../timeline/data/latest-query";
import { Scale } from "../../timeline/transform";

/** Width of a part in pixels. */
const PART_WIDTH = 2;
/** Heights of the loads and of the difference, in pixels. */
const LOADS = 40;
const DIFFERENCE = 30;
const HEIGHT = LOADS + DIFFERENCE;
const ZERO = LOADS + DIFFERENCE / 2;

interface Request {
  window: Window;
  link: AxisLink;
  columns: number;
}

interface Loads extends Interval {
  before: LoadColumns;
  after: LoadColumns;
  difference: LoadColumns;
}

/** A difference with its sign. */
const signedText = (value: number | null) =>
  value === null ? "–" : `${value > 0 ? "+" : ""}${value.toFixed(1)} %`;

function useLoads(comparison: Comparison, width: number): Loads | null {
  const loads = useSignal<Loads | null>(null);
  const [before, after] = comparison.sides;
  const latest = useMemo(
    () =>
      new LatestQuery<Request>(async ({ window, link, columns }, isStopped) => {
        const source = { kind: "load", core: null } as const;
        const { start, end } = window;
        const other = linkedInterval(link, window);
        const [first, second] = await Promise.all([
          before.client.query({ query: "graph", source, window, width: columns }),
          after.client.query({
            query: "graph",
            source,
            window: { axis: window.axis, ...other },
            width: columns,
          }),
        ]);
        if (isStopped()) return;
        const own = columnsOf(first, start, end, columns);
        const others = columnsOf(second, other.start, other.end, columns);
        loads.value = {
          start,
          end,
          before: own,
          after: others,
          difference: differenceOf(own, others),
        };
      }, showError),
    [comparison],
  );
  useEffect(() => () => latest.stop(), [latest]);
  const columns = Math.floor(width / PART_WIDTH);
  const { start, end } = before.window.value;
  const axis = before.axis.value;
  const link = comparison.isLinked.value ? comparison.link.value : null;
  useEffect(() => {
    if (link !== null && columns > 0)
      latest.request({ window: { axis, start, end }, link, columns });
  }, [latest, link, columns, axis, start, end]);
  return link === null ? null : loads.value;
}

export function LoadDifference({ comparison }: { comparison: Comparison }) {
  const place = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const sized = new ResizeObserver(() => {
      width.value = element.clientWidth;
    });
    sized.observe(element);
    return () => sized.disconnect();
  }, []);
  const loads = useLoads(comparison, width.value);
  const [before] = comparison.sides;
  const shown = useComputed(() => Scale.of(before.window.value, width.value)).value;
  const cursor = before.cursor.value;
  const column = (columns: LoadColumns) => {
    if (loads === null || cursor === null) return meanOf(columns);
    const at = Scale.of(loads, columns.length).x(cursor);
    return columns[Math.floor(at)] ?? null;
  };
  const means = loads && [loads.before, loads.after, loads.difference].map(column);
  const [own = null, other = null, difference = null] = means ?? [];
  const what = cursor === null ? "Mean" : "Pointer";
  const transform =
    loads &&
    `translate(${shown.x(loads.start)} 0) scale(${((loads.end - loads.start) * shown.perUnit) / Math.max(loads.before.length, 1)} 1)`;
  return (
    <section
      class="load-difference"
      aria-label="CPU load of both, and the difference"
      style={{
        "--timeline-names": `min(${settings.nameWidth.value}px, ${MAX_NAMES_SHARE * 100}%)`,
      }}
    >
      <div class="load-difference-name">
        <b>CPU load</b>
        {loads === null ? (
          <span class="muted">not linked</span>
        ) : (
          <span class="load-figures" title={what}>
            <span>
              <i class="before" aria-hidden="true" /> before {shareText(own)}
            </span>
            <span>
              <i class="after" aria-hidden="true" /> after {shareText(other)}
            </span>
            <span>after − before {signedText(difference)}</span>
          </span>
        )}
      </div>
      <div class="load-difference-lane" ref={place}>
        <svg
          width="100%"
          height={HEIGHT}
          role="img"
          aria-label={`Mean CPU load: before ${shareText(loads && meanOf(loads.before))}, after ${shareText(loads && meanOf(loads.after))}, difference ${signedText(loads && meanOf(loads.difference))}`}
        >
          <line class="edge" x1="0" x2="100%" y1={LOADS} y2={LOADS} />
          <line class="zero" x1="0" x2="100%" y1={ZERO} y2={ZERO} />
          {loads && transform && (
            <g transform={transform}>
              <path
                class="before"
                d={areaPath(loads.before, LOADS, (load) => LOADS - (load / 100) * (LOADS - 4))}
              />
              <path
                class="after"
                d={linePath(loads.after, (load) => LOADS - (load / 100) * (LOADS - 4))}
              />
              <path
                class="more"
                d={areaPath(
                  loads.difference.map((load) => (load !== null && load > 0 ? load : null)),
                  ZERO,
                  (load) => ZERO - (load / 100) * (DIFFERENCE / 2 - 1),
                )}
              />
              <path
                class="less"
                d={areaPath(
                  loads.difference.map((load) => (load !== null && load < 0 ? load : null)),
                  ZERO,
                  (load) => ZERO - (load / 100) * (DIFFERENCE / 2 - 1),
                )}
              />
            </g>
          )}
        </svg>
      </div>
    </section>
  );
}
