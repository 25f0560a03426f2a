/** Sequence diagram of the visible interval. */

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { SequenceFormat, Window } from "../../session/wire";
import { isActiveObject } from "../../state/contexts";
import { plural } from "../../state/format";
import { goToEvent } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { DiagramView } from "../diagrams/DiagramView";
import { type DiagramFormat, SaveAs, stemOf } from "../diagrams/SaveAs";
import { type SafeSvg, safeSvg } from "../diagrams/safe-svg";
import { useAnswer } from "../useAnswer";
import {
  changeOptions,
  MAX_FILE_ROWS,
  MAX_PAGE_ROWS,
  type SequenceOptions,
  sequenceOptions,
  sequenceQuery,
} from "./sequence-options";
import { sequenceStyles } from "./sequence-styles";
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

const SWITCHES: readonly { key: "states" | "actions" | "timers"; title: string }[] = [
  { key: "states", title: "States" },
  { key: "actions", title: "Actions" },
  { key: "timers", title: "Timers" },
];

/** The settled window of the diagram. */
function useWindow(trace: TraceState): Window | null {
  const window = useSignal<Window | null>(null);
  useSignalEffect(() => {
    const wanted = sequenceOptions(trace).value.frozen ?? trace.queryWindow();
    if (window.peek() === null) {
      window.value = wanted;
      return undefined;
    }
    const timer = setTimeout(() => {
      window.value = wanted;
    }, PAUSE);
    return () => clearTimeout(timer);
  });
  return window.value;
}

function ObjectPicker({ trace, objects }: { trace: TraceState; objects: readonly number[] }) {
  const all = trace.overview.contexts
    .map((context, number) => ({ ...context, number }))
    .filter(isActiveObject);
  const toggle = (number: number, isWanted: boolean) => {
    const others = objects.filter((one) => one !== number);
    changeOptions(trace, { objects: isWanted ? [...others, number] : others });
  };
  return (
    <details class="diagram-objects">
      <summary>
        {objects.length === 0
          ? "All active objects"
          : `${objects.length} of ${all.length} active objects`}
      </summary>
      <div class="object-list">
        {objects.length > 0 && (
          <button type="button" class="link" onClick={() => changeOptions(trace, { objects: [] })}>
            all
          </button>
        )}
        {all.slice(0, 500).map(({ name, number }) => (
          <label key={number}>
            <input
              type="checkbox"
              checked={objects.includes(number)}
              onChange={(event) => toggle(number, event.currentTarget.checked)}
            />{" "}
            {name}
          </label>
        ))}
      </div>
    </details>
  );
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
      <fieldset class="segments" aria-label="Interval">
        <button
          type="button"
          aria-pressed={frozen === null}
          title="Shows the visible interval of the timeline"
          onClick={() => changeOptions(trace, { frozen: null })}
        >
          Follow view
        </button>
        <button
          type="button"
          aria-pressed={frozen !== null}
          title="Keeps the current interval"
          onClick={() => changeOptions(trace, { frozen: frozen ?? window ?? trace.queryWindow() })}
        >
          Freeze
        </button>
      </fieldset>
      {SWITCHES.map(({ key, title }) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={wished[key]}
            onChange={(event) => changeOptions(trace, { [key]: event.currentTarget.checked })}
          />{" "}
          {title}
        </label>
      ))}
      <ObjectPicker trace={trace} objects={wished.objects} />
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
          styles={sequenceStyles()}
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
    return { picture: null, error: error instanceof Error ? error.message : String(error) };
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
export function neighbouringEvent(
  events: readonly number[],
  from: number | undefined,
  by: 1 | -1,
): number | undefined {
  if (from === undefined) return by > 0 ? events[0] : events.at(-1);
  return by > 0 ? events.find((event) => event > from) : events.findLast((event) => event < from);
}
