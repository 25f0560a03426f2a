/** SQL queries on the trace: an editor, the tables, and the result. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SqlCatalogue, SqlResult } from "../../session/sql";
import { copyText } from "../../shell/clipboard";
import { Button, IconButton, Options, set } from "../../shell/controls";
import { saveFile } from "../../shell/files";
import { Icon } from "../../shell/Icon";
import { countText, plural } from "../../state/format";
import { resultLane } from "../../state/result-lane";
import type { TraceState } from "../../state/trace";
import { commandLine } from "../command-line";
import type { TableSorting } from "../table/column";
import { csvLines, tsvLines } from "../table/table-text";
import { laneOf } from "./lane-of-result";
import { ResultTable, sortedRows } from "./ResultTable";
import { SqlEditor } from "./SqlEditor";
import {
  cancelQuery,
  cannedQuery,
  catalogueOf,
  editedQuery,
  loadCatalogue,
  outcome,
  parameter,
  ranQuery,
  running,
  runQuery,
} from "./sql-state";
import { TableList } from "./TableList";
import "../panel.css";
import "./sql.css";

export function SqlPanel({ trace }: { trace: TraceState }) {
  const showsTables = useSignal(false);
  useEffect(() => {
    const stop = new AbortController();
    void loadCatalogue(trace, stop.signal);
    return () => stop.abort();
  }, [trace]);
  const known = catalogueOf(trace).value;
  const shown = outcome(trace).value;
  const unavailable =
    known !== null && "unavailable" in known
      ? known.unavailable
      : shown !== null && "unavailable" in shown
        ? shown.unavailable
        : null;
  if (unavailable !== null) {
    return (
      <div class="panel">
        <p class="problem">SQL is not available: {unavailable}.</p>
      </div>
    );
  }
  const catalogue = known !== null && "catalogue" in known ? known.catalogue : null;
  return (
    <div class="sql-panel">
      <div class="sql-query">
        <Query trace={trace} catalogue={catalogue} showsTables={showsTables} />
        {showsTables.value && catalogue !== null && (
          <TableList
            catalogue={catalogue}
            insert={(name) => {
              const edited = editedQuery(trace);
              const { sql } = edited.peek();
              const space = sql === "" || /\s$/.test(sql) ? "" : " ";
              edited.value = { ...edited.peek(), sql: `${sql}${space}${name}` };
            }}
          />
        )}
      </div>
      <Outcome trace={trace} />
    </div>
  );
}

interface QueryProps {
  trace: TraceState;
  catalogue: SqlCatalogue | null;
  showsTables: { value: boolean };
}

function Query({ trace, catalogue, showsTables }: QueryProps) {
  const edited = editedQuery(trace);
  const query = edited.value;
  const isRunning = running(trace).value !== null;
  const shown = outcome(trace).value;
  const run = () => void runQuery(trace, edited.peek());
  const isRan = ranQuery(trace).value?.sql === query.sql;
  const canned = catalogue?.queries.find(({ name }) => name === query.named);
  return (
    <>
      <div class="row">
        {isRunning ? (
          <Button onClick={() => cancelQuery(trace)}>Cancel</Button>
        ) : (
          <Button class="primary" title="Run (Ctrl+Enter)" onClick={run}>
            Run
          </Button>
        )}
        <select
          aria-label="Canned query"
          value=""
          disabled={catalogue === null}
          onChange={({ currentTarget }) => {
            const chosen = catalogue?.queries.find(({ name }) => name === currentTarget.value);
            currentTarget.value = "";
            if (chosen === undefined) return;
            edited.value = cannedQuery(chosen);
            run();
          }}
        >
          <option value="">Canned queries…</option>
          <Options of={catalogue?.queries.map(({ name, title }) => [name, title]) ?? []} />
        </select>
        <Button
          aria-pressed={showsTables.value}
          disabled={catalogue === null}
          onClick={() => {
            showsTables.value = !showsTables.value;
          }}
        >
          Tables
        </Button>
      </div>
      {canned?.parameters.map(({ name, about }) => {
        const { name: of } = parameter(name);
        return (
          <label key={of} class="sql-parameter" title={about}>
            <code>${of}</code>
            <input
              value={query.set[of] ?? ""}
              onInput={({ currentTarget }) => {
                edited.value = { ...query, set: { ...query.set, [of]: currentTarget.value } };
              }}
              onKeyDown={(event) => {
                if (event.key === "Enter") run();
              }}
            />
            <span class="muted">{about}</span>
          </label>
        );
      })}
      <SqlEditor
        sql={query.sql}
        change={(sql) => {
          const usesParameters = /\$[a-z]/i.test(sql);
          edited.value = {
            ...edited.peek(),
            sql,
            ...(usesParameters ? {} : { named: null, set: {} }),
          };
        }}
        run={run}
        catalogue={catalogue}
        error={isRan && shown !== null && "error" in shown ? shown.error : null}
      />
    </>
  );
}

function Outcome({ trace }: { trace: TraceState }) {
  const sorting = useSignal<TableSorting | null>(null);
  const isRunning = running(trace).value !== null;
  const shown = outcome(trace).value;
  const result = shown !== null && "result" in shown ? shown.result : null;
  useEffect(set(sorting, null), [result?.columns.map(({ name }) => name).join()]);
  return (
    <div class="sql-outcome" aria-busy={isRunning}>
      <p class="sql-status" role="status">
        {isRunning ? "Running…" : result === null ? "" : statusText(result)}
      </p>
      {shown !== null && "error" in shown && (
        <p class="problem">
          {shown.error.position !== null &&
            `Line ${shown.error.position.line}, column ${shown.error.position.start + 1}: `}
          {shown.error.message}
        </p>
      )}
      {result?.warning && <p class="sql-warning">{result.warning}</p>}
      {result !== null && (
        <>
          <Actions trace={trace} result={result} sorting={sorting.value} />
          <ResultTable trace={trace} result={result} sorting={sorting} />
        </>
      )}
    </div>
  );
}

/** The number of rows and the run time. */
function statusText({ rows, count, milliseconds }: SqlResult): string {
  const part =
    rows.length < count
      ? `First ${countText(rows.length)} of ${plural(count, "row")}`
      : plural(count, "row");
  return `${part} in ${milliseconds < 1000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(1)} s`}`;
}

interface ActionsProps {
  trace: TraceState;
  result: SqlResult;
  sorting: TableSorting | null;
}

/** The command that writes all rows. */
function queryCommand(trace: TraceState): string {
  const { sql, named, set } = ranQuery(trace).peek() ?? editedQuery(trace).peek();
  const parameters = Object.entries(set).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  return commandLine(trace, "query", named === null ? [sql] : ["--named", named, ...parameters]);
}

function Actions({ trace, result, sorting }: ActionsProps) {
  const lines = () => [result.columns.map(({ name }) => name), ...sortedRows(result, sorting)];
  const copy = () =>
    void copyText(tsvLines(lines()), `Copied ${plural(result.rows.length, "row")}.`);
  const download = () =>
    saveFile(new Blob([csvLines(lines())], { type: "text/csv" }), `${trace.overview.name}.csv`);
  const lane = resultLane(trace);
  const isLane = lane.value !== null;
  const hasTimes = laneOf({ ...result, rows: [] }) !== null;
  return (
    <div class="row sql-actions">
      <Button
        aria-pressed={isLane}
        disabled={!isLane && !hasTimes}
        title={
          hasTimes
            ? "Shows the rows above the lanes of the timeline"
            : "A lane needs a column named start or time, and end or duration for intervals"
        }
        onClick={() => {
          lane.value = isLane ? null : laneOf(result);
        }}
      >
        Show as a lane
      </Button>
      <Button title="Rows separated by tabs" onClick={copy}>
        <Icon name="copy" /> Copy
      </Button>
      <Button onClick={download}>CSV</Button>
      {result.rows.length < result.count && (
        <span class="muted">
          <code>rtoscope query</code> writes all rows.{" "}
          <IconButton
            icon="copy"
            label="Copy the command"
            title="Copy the command"
            onClick={() => void copyText(queryCommand(trace), "Copied the command.")}
          />
        </span>
      )}
    </div>
  );
}
