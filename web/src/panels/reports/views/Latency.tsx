/** Report on latencies and blocking of threads. */

import { useSignal } from "@preact/signals";
import type {
  Distribution,
  Latency as LatencyReport,
  ThreadLatency,
  WaitRow,
} from "../../../session/reports";
import { durationText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { EventLink } from "../../EventLink";
import type { Column } from "../../table/column";
import { SortableTable } from "../../table/SortableTable";
import { distribution } from "./columns";
import { Histogram } from "./Histogram";

const MEASURES = [
  {
    key: "wake_up",
    title: "Wake-up",
    hint: "from resumption to dispatch",
  },
  { key: "response", title: "Response", hint: "from resumption to the next suspension" },
  { key: "period", title: "Period", hint: "from one resumption to the next" },
  { key: "jitter", title: "Jitter", hint: "difference between successive periods" },
  { key: "preempted", title: "Preempted", hint: "ready after a preemption" },
] as const;

type Measure = (typeof MEASURES)[number]["key"];

function Summary({ trace, latency }: { trace: TraceState; latency: LatencyReport }) {
  const { isr_to_thread: toThread, max_interrupt_burst: burst } = latency;
  const text = (ticks: number) => durationText(ticks, shownClock(trace));
  return (
    <dl class="facts">
      {toThread && (
        <>
          <dt>Interrupt to thread</dt>
          <dd>
            {text(toThread.p50)} median, max{" "}
            <EventLink trace={trace} event={toThread.event}>
              {text(toThread.max)}
            </EventLink>
          </dd>
        </>
      )}
      {burst && (
        <>
          <dt>Longest uninterrupted interrupt time</dt>
          <dd>
            <EventLink trace={trace} event={burst.first_event}>
              {text(burst.ticks)}
            </EventLink>{" "}
            on core {burst.core}
          </dd>
        </>
      )}
    </dl>
  );
}

export function Latency({ trace, latency }: { trace: TraceState; latency: LatencyReport }) {
  const measure = useSignal<Measure>("wake_up");
  const chosen = MEASURES.find(({ key }) => key === measure.value) ?? MEASURES[0];
  const of = (row: ThreadLatency): Distribution | null => row[chosen.key];
  const threads = latency.threads.filter((row) => of(row) !== null);
  const thread = useSignal("");
  const shown = threads.find(({ address }) => address === thread.value) ?? threads[0];
  const drawn = shown && of(shown);
  const columns: Column<ThreadLatency>[] = [
    {
      title: "Thread",
      value: (row) => row.name,
      show: (row) => (
        <button
          type="button"
          class="link"
          title="Show distribution"
          onClick={() => {
            thread.value = row.address;
          }}
        >
          {row.name}
        </button>
      ),
    },
    ...distribution(trace, of),
  ];
  const waits: Column<WaitRow>[] = [
    { title: "Blocked on", value: (row) => row.object ?? row.reason },
    { title: "Class", value: (row) => row.reason },
    ...distribution<WaitRow>(trace, (row) => row.duration),
  ];
  return (
    <>
      <Summary trace={trace} latency={latency} />
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
        <section>
          <h3>{shown.name}</h3>
          <Histogram trace={trace} label={`${chosen.title} of ${shown.name}`} of={drawn} />
        </section>
      )}
      <SortableTable
        label={`${chosen.title} by thread`}
        columns={columns}
        rows={threads}
        empty="No measurements."
      />
      <section>
        <h3>Blocking</h3>
        <SortableTable
          label="Blocking"
          columns={waits}
          rows={latency.blocking}
          empty="No thread was blocked."
        />
      </section>
      {shown && shown.waited.length > 0 && (
        <section>
          <h3>Waits of {shown.name}</h3>
          <SortableTable label={`Waits of ${shown.name}`} columns={waits} rows={shown.waited} />
        </section>
      )}
    </>
  );
}
