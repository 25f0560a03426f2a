/** Sequence diagram of the visible interval. */

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { SequenceFormat, Window } from "../../session/wire";
import { Check, Segments, set } from "../../shell/controls";
import { stemOf } from "../../shell/files";
import { isActiveObject } from "../../state/contexts";
import { messageOf, plural } from "../../state/format";
import { goToEvent } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { ContextPicker } from "../ContextPicker";
import { DiagramView } from "../diagrams/DiagramView";
import { type DiagramFormat, SaveAs } from "../diagrams/SaveAs";
import { type SafeSvg, safeSvg } from "../diagrams/safe-svg";
import { styleSheet } from "../diagrams/styles";
import { useAnswer } from "../useAnswer";
import {
  changeOptions,
  MAX_FILE_ROWS,
  MAX_PAGE_ROWS,
  type SequenceOptions,
  sequenceOptions,
  sequenceQuery,
} from "./sequence-options";
import "../panel.css";
import "../diagrams/diagrams.css";

/** Delay while the visible interval moves, in milliseconds. */
const PAUSE = 250;

const FORMATS: readonly (Omit<DiagramFormat, "make"> & { format: SequenceFormat })[] = [
  { title: "SVG image", extension: "svg", type: "image/svg+xml", format: "svg" },
  { title: "Mermaid", extension: "mmd", type: "text/plain", format: "mermaid" },
  { title: "PlantUML", extension: "puml", type: "text/plain", format: "plantuml" },
  { title: "Msc-generator", extension: "signalling", type: "text/plain", format: "msc-generator" },
];

const INTERVALS = [
  {
    key: "follow",
    title: "Follow view",
    hint: "Shows the visible interval of the timeline",
  },
  { key: "freeze", title: "Freeze", hint: "Keeps the current interval" },
] as const;

const SWITCHES: readonly { key: "states" | "actions" | "timers"; title: string }[] = [
  { key: "states", title: "States" },
  { key: "actions", title: "Actions" },
  { key: "timers", title: "Timers" },
];

/** Styles of the diagram on the page. */
const styles = styleSheet(`
svg { display: block; }
.paper { fill: none; }
[data-event] { cursor: pointer; }
[data-event]:hover .label, [data-event]:hover text { text-decoration: underline; }
[data-picked] .wire, [data-picked] .sign { stroke: var(--lane-selected) !important; stroke-width: 2.8; }
[data-picked] .solid { fill: var(--lane-selected) !important; stroke: var(--lane-selected) !important; }
[data-picked] .tint { stroke: var(--lane-selected) !important; stroke-width: 2; }
[data-picked] text { font-weight: bold; }
`);

/** The settled window of the diagram. */
function useWindow(trace: TraceState): Window | null {
  const window = useSignal<Window | null>(null);
  useSignalEffect(() => {
    const wanted = sequenceOptions(trace).value.frozen ?? trace.queryWindow();
    if (window.peek() === null) {
      window.value = wanted;
      return undefined;
    }
    const timer = setTimeout(set(window, wanted), PAUSE);
    return () => clearTimeout(timer);
  });
  return window.value;
}

function OptionsForm({
  trace,
  wished,
  window,
}: {
  trace: TraceState;
  wished: SequenceOptions;
  window: Window | null;
}) {
  const { frozen } = wished;
  return (
    <div class="row diagram-options">
      <Segments
        label="Interval"
        of={INTERVALS}
        chosen={frozen === null ? "follow" : "freeze"}
        choose={(key) =>
          changeOptions(trace, {
            frozen: key === "follow" ? null : (frozen ?? window ?? trace.queryWindow()),
          })
        }
      />
      {SWITCHES.map(({ key, title }) => (
        <Check
          key={key}
          checked={wished[key]}
          change={(isWanted) => changeOptions(trace, { [key]: isWanted })}
        >
          {title}
        </Check>
      ))}
      <ContextPicker
        trace={trace}
        of={isActiveObject}
        noun="active objects"
        chosen={wished.objects}
        choose={(objects) => changeOptions(trace, { objects })}
      />
    </div>
  );
}

export function SequencePanel({ trace }: { trace: TraceState }) {
  const wished = sequenceOptions(trace).value;
  const window = useWindow(trace);
  const { answer, error } = useAnswer(
    trace,
    window && sequenceQuery(wished, window, "svg", MAX_PAGE_ROWS),
    trace.frequencyHz.value,
    wished.frozen === null && trace.isFollowing.value,
  );
  const drawn = useMemo(() => parseDiagram(answer?.text), [answer]);
  const formats = FORMATS.map(({ format, ...rest }) => ({
    ...rest,
    make: async () => {
      const part = window ?? trace.queryWindow();
      return (
        await trace.client.query<"sequence">(sequenceQuery(wished, part, format, MAX_FILE_ROWS))
      ).text;
    },
  }));
  const mark = useComputed(() => {
    const event = trace.selected.value?.event;
    return (svg: SVGSVGElement) => markEvent(svg, event);
  });
  const events = useMemo(() => drawn?.picture && eventsOf(drawn.picture.svg), [drawn]);
  const onKeyDown = (key: KeyboardEvent) => {
    const by = key.key === "ArrowDown" ? 1 : key.key === "ArrowUp" ? -1 : 0;
    if (by === 0 || key.ctrlKey || key.altKey || key.metaKey || key.shiftKey || !events) return;
    key.preventDefault();
    const next = neighbouringEvent(events, trace.selected.peek()?.event, by);
    if (next !== undefined) void goToEvent(trace, next);
  };
  return (
    <div class="panel full diagram-panel">
      <OptionsForm trace={trace} wished={wished} window={window} />
      {(error ?? drawn?.error) != null && <p class="problem">{error ?? drawn?.error}</p>}
      {answer !== null && answer.skipped > 0 && (
        <p class="diagram-note">
          The first {plural(answer.shown, "row")}; {plural(answer.skipped, "more", "more")}: zoom in
          to see others.
        </p>
      )}
      {answer !== null && answer.shown === 0 && (
        <p class="nothing">No activity of active objects in this interval.</p>
      )}
      {drawn?.picture && answer !== null && answer.shown > 0 && (
        <DiagramView
          label="Sequence diagram"
          picture={drawn.picture}
          styles={styles()}
          mark={mark}
          onKeyDown={onKeyDown}
          pick={(target) => {
            const event = target.closest("[data-event]")?.getAttribute("data-event");
            if (event != null) void goToEvent(trace, Number(event));
          }}
        >
          <SaveAs name={`${stemOf(trace.overview.name)}-sequence`} formats={formats} />
        </DiagramView>
      )}
    </div>
  );
}

interface ParsedDiagram {
  picture: SafeSvg | null;
  error: string | null;
}

function parseDiagram(text: string | undefined): ParsedDiagram | null {
  if (text === undefined) return null;
  try {
    return { picture: safeSvg(text), error: null };
  } catch (error) {
    return { picture: null, error: messageOf(error) };
  }
}

/** Marks the elements of an event; returns the last of them. */
function markEvent(svg: SVGSVGElement, event: number | undefined): Element | null {
  for (const element of svg.querySelectorAll("[data-picked]"))
    element.removeAttribute("data-picked");
  const own = event === undefined ? [] : [...svg.querySelectorAll(`[data-event="${event}"]`)];
  for (const element of own) element.setAttribute("data-picked", "");
  return own.at(-1) ?? null;
}

/** Events with elements in the diagram, in order. */
function eventsOf(svg: SVGSVGElement): number[] {
  const all = [...svg.querySelectorAll("[data-event]")].map((one) =>
    Number(one.getAttribute("data-event")),
  );
  return [...new Set(all)].toSorted((one, other) => one - other);
}

/** Next or previous event of the diagram. */
function neighbouringEvent(
  events: readonly number[],
  from: number | undefined,
  by: 1 | -1,
): number | undefined {
  if (from === undefined) return by > 0 ? events[0] : events.at(-1);
  return by > 0 ? events.find((event) => event > from) : events.findLast((event) => event < from);
}
