/** A list of named figures. */

import { Fragment } from "preact";
import { countText } from "../../../state/format";

/** A figure; `isPart` if it is a part of the preceding figure. */
export interface Figure {
  name: string;
  value: number | string | null;
  isPart?: boolean;
}

export function FigureList({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl class="figures" aria-label={label}>
      {figures.map(({ name, value, isPart }) => {
        const below = isPart ? "below" : "";
        return (
          <Fragment key={name}>
            <dt class={below}>{name}</dt>
            <dd class={below}>
              {value === null ? "–" : typeof value === "number" ? countText(value) : value}
            </dd>
          </Fragment>
        );
      })}
    </dl>
  );
}
