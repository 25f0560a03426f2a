/** Report on active objects: events and durations. */

import { useSignal } from "@preact/signals";
import type { ActiveObjectRow, Distribution } from "../../../session/reports";
import type { TraceState } from "../../../state/trace";
import { showMachine } from "../../machine/selected-machine";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution, duration, event, share } from "./columns";
import { Histogram } from "./Histogram";

const MEASURES = [
  { key: "response", title: "Response", hint: "from the post of an event to the end of its step" },
  {
    key: "queueing",
    title: "Queueing",
    hint: "from the post of an event to the start of its step",
  },
  { key: "duration", title: "Step", hint: "from the start of a step to its end" },
] as const;

type Measure = (typeof MEASURES)[number]["key"];

export function ActiveObjects({
  trace,
  rows,
}: {
  trace: TraceState;
  rows: readonly ActiveObjectRow[];
}) {
  const measure = useSignal<Measure>("response");
  const object = useSignal("");
  const chosen = MEASURES.find(({ key }) => key === measure.value) ?? MEASURES[0];
  const of = (row: ActiveObjectRow): Distribution | null => row[chosen.key];
  const measured = rows.filter((row) => of(row) !== null);
  const shown = measured.find(({ address }) => address === object.value) ?? measured[0];
  const drawn = shown && of(shown);
  const { contexts } = trace.overview;
  const contextOf = (row: ActiveObjectRow) =>
    contexts.findIndex(
      ({ kind, address, name }) =>
        kind === "active-object" && address === row.address && name === row.name,
    );
  const columns: Column<ActiveObjectRow>[] = [
    {
      title: "Active object",
      value: (row) => row.name,
      show: (row) => {
        const context = contextOf(row);
        return context < 0 ? (
          row.name
        ) : (
          <button
            type="button"
            class="link"
            title="Show state machine"
            onClick={() => showMachine(trace, context)}
          >
            {row.name}
          </button>
        );
      },
    },
    share("Busy", (row) => row.busy_percent),
    duration(trace, "CPU time in steps", (row) => row.busy_ticks),
    { title: "Posted", hint: "Events posted to its queue", value: (row) => row.posted },
    { title: "Steps", hint: "Events handled", value: (row) => row.steps },
    { title: "Max queued", value: (row) => row.max_queued?.events, isNumber: true },
    event(trace, "at", (row) => row.max_queued?.event),
    {
      title: "Capacity",
      hint: "Capacity of its queue",
      value: (row) => row.queue?.capacity,
      isNumber: true,
    },
    {
      title: "Min free",
      hint: "Free entries of its queue",
      value: (row) => row.queue?.min_free,
      isNumber: true,
    },
    {
      title: "Unhandled",
      hint: "No transition for the event",
      value: (row) => row.endings.unhandled,
    },
    { title: "Guards false", value: (row) => row.guards_false },
    { title: "No branch", value: (row) => row.endings.no_branch },
    { title: "Deferred", value: (row) => row.deferred },
    { title: "Recalled", value: (row) => row.recalled },
    { title: "Failed", hint: "Error in the state machine", value: (row) => row.endings.failed },
    { title: "Lost", hint: "Missing records", value: (row) => row.endings.lost },
    {
      title: "Filtered",
      hint: "The target does not record how it ended",
      value: (row) => row.endings.unrecorded,
    },
    { title: "Unfinished", hint: "At the end of the trace", value: (row) => row.endings.open },
  ];
  const durations: Column<ActiveObjectRow>[] = [
    {
      title: "Active object",
      value: (row) => row.name,
      show: (row) => (
        <button
          type="button"
          class="link"
          title="Show distribution"
          onClick={() => {
            object.value = row.address;
          }}
        >
          {row.name}
        </button>
      ),
    },
    ...distribution(trace, of),
  ];
  return (
    <>
      <SortableTable
        label="Active objects"
        columns={columns}
        rows={rows}
        empty="No active objects."
      />
      <section>
        <h3>Durations</h3>
        <fieldset class="segments" aria-label="Measure">
          {MEASURES.map(({ key, title, hint }) => (
            <button
              key={key}
              type="button"
              aria-pressed={key === chosen.key}
              title={hint}
              onClick={() => {
                measure.value = key;
              }}
            >
              {title}
            </button>
          ))}
        </fieldset>
        <p class="muted report-scope">
          {chosen.title}: {chosen.hint}.
        </p>
        {shown && drawn && (
          <Histogram trace={trace} label={`${chosen.title} of ${shown.name}`} of={drawn} />
        )}
        <SortableTable
          label={`${chosen.title} by active object`}
          columns={durations}
          rows={measured}
          empty="No measurements."
        />
      </section>
    </>
  );
}
