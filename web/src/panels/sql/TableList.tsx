/** Tables and views with their columns. */

import { useSignal } from "@preact/signals";
import type { SqlCatalogue } from "../../session/sql";
import { Button, textOf } from "../../shell/controls";

interface TableListProps {
  catalogue: SqlCatalogue;
  /** Inserts a name into the query. */
  insert: (name: string) => void;
}

export function TableList({ catalogue, insert }: TableListProps) {
  const filter = useSignal("");
  const word = filter.value.trim().toLowerCase();
  const tables = catalogue.tables.filter(
    ({ name, about, columns }) =>
      word === "" ||
      name.includes(word) ||
      about.toLowerCase().includes(word) ||
      columns.some((column) => column.name.includes(word)),
  );
  return (
    <section class="sql-tables" aria-label="Tables">
      <input
        type="search"
        aria-label="Find a table or column"
        placeholder="Find a table or column"
        {...textOf(filter)}
      />
      {tables.map(({ name, about, columns, is_view }) => (
        <details key={name}>
          <summary>
            <code>{name}</code> <span class="muted">{is_view ? `view: ${about}` : about}</span>
          </summary>
          <ul class="plain-list">
            {columns.map((column) => (
              <li key={column.name}>
                <Button
                  class="link"
                  title="Insert into the query"
                  onClick={() => insert(column.name === "end" ? '"end"' : column.name)}
                >
                  {column.name}
                </Button>{" "}
                <span class="muted">{column.about}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {tables.length === 0 && <p class="nothing">No table has that name or column.</p>}
    </section>
  );
}
