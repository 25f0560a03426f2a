/** Report on latencies and blocking of threads. */

import {
  INTERRUPT_BURST_LABEL,
  ISR_TO_THREAD_LABEL,
  type Latency as LatencyReport,
  type ThreadLatency,
  type WaitRow,
} from "../../../session/reports";
import { durationText, shownClock } from "../../../state/format";
import type { TraceState } from "../../../state/trace";
import { EventLink } from "../../EventLink";
import { SortableTable } from "../../table/SortableTable";
import { distribution, reportColumns, tableOf } from "./columns";
import { Measures } from "./Measures";

function Summary({ trace, latency }: { trace: TraceState; latency: LatencyReport }) {
  const { isr_to_thread: toThread, max_interrupt_burst: burst } = latency;
  const text = (ticks: number) => durationText(ticks, shownClock(trace));
  return (
    <dl class="facts">
      {toThread && (
        <>
          <dt>{ISR_TO_THREAD_LABEL}</dt>
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
          <dt>{INTERRUPT_BURST_LABEL}</dt>
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
  const names = reportColumns<ThreadLatency, "latency.threads">(trace, "latency.threads");
  const { title, empty } = tableOf("latency.blocking");
  const waits = [
    ...reportColumns<WaitRow, "latency.blocking">(trace, "latency.blocking", {
      object: { value: (row) => row.object ?? row.reason },
    }),
    ...distribution<WaitRow>(trace, (row) => row.duration),
  ];
  const waiting = latency.threads.filter(({ waited }) => waited.length > 0);
  return (
    <>
      {latency.not_recorded !== null && <p class="muted">{latency.not_recorded}</p>}
      <Summary trace={trace} latency={latency} />
      <Measures
        trace={trace}
        path="latency.threads"
        rows={latency.threads}
        names={names}
        histogramOf={({ name, address }) => ({ name, id: address })}
      />
      <section>
        <h3>{title}</h3>
        <SortableTable label={title} columns={waits} rows={latency.blocking} empty={`${empty}.`} />
      </section>
      {waiting.map(({ name, address, waited }) => (
        <details key={address}>
          <summary>Waits of {name}</summary>
          <SortableTable
            label={`Waits of ${name}`}
            widthsKey={title}
            columns={waits}
            rows={waited}
          />
        </details>
      ))}
    </>
  );
}
