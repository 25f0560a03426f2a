/** The language of filters in short. */

import { useSignal } from "@preact/signals";

const FIELDS: readonly [string, string][] = [
  ["index", "number of the event"],
  ["time", "ticks since the first event, or 1.5ms, 20us …"],
  ["stamp", "the stamp as recorded"],
  ["core", "number of the core"],
  ["context", "name or address of what executed; interrupt, initialize, idle"],
  ["interrupted", "the same of what an interrupt interrupted"],
  ["kind", "name, symbol or number of the kind of event"],
  ["component", "its software component, e.g. threadx"],
  ["object", "name or address of an object among the arguments"],
  ["class", "class of the object, e.g. queue"],
  ["priority, threshold", "of the running thread"],
  ["info1 … info4", "arguments by position"],
  ["arg.name", "an argument by its name, with _ for blanks"],
];
const TESTS: readonly [string, string][] = [
  ["== != < <= > >=", "compare"],
  ["~ !~", 'fits a pattern: context ~ "work*"'],
  ["in (a, b)", "any of these"],
  ["in 1..5, in 1..=5", "a range, without or with its end"],
  ["& 0x10", "any of the bits is set"],
  ["and or not ( )", "combine"],
];

export function FilterHelp() {
  const isOpen = useSignal(false);
  const list = (rows: readonly [string, string][]) => (
    <dl class="facts">
      {rows.map(([term, text]) => (
        <div key={term} class="help-row">
          <dt>
            <code>{term}</code>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <>
      <button type="button" popovertarget="filter-help" aria-label="Help about filters">
        Help
      </button>
      <div
        id="filter-help"
        class="filter-help"
        popover="auto"
        role="dialog"
        aria-label="Filters"
        data-open={isOpen.value ? "" : undefined}
        onToggle={(event) => {
          isOpen.value = event.newState === "open";
        }}
      >
        <h3>Fields</h3>
        {list(FIELDS)}
        <h3>Tests</h3>
        {list(TESTS)}
        <p class="muted">
          Example: <code>kind ~ queue and time in 1ms..2ms and not core == 0</code>
        </p>
      </div>
    </>
  );
}
