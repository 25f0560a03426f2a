/** Named facts. */

import { type ComponentChildren, Fragment, type JSX } from "preact";

/** A name, its value, and a CSS class of the value; `false` if it does not apply. */
export type Fact = readonly [name: string, value: ComponentChildren, style?: string] | false;

type FactListProps = JSX.IntrinsicElements["dl"] & { facts: readonly Fact[] };

export function FactList({ facts, ...props }: FactListProps) {
  return (
    <dl class="facts" {...props}>
      {facts.map((fact, number) => {
        if (!fact) return null;
        const [name, value, style] = fact;
        return (
          <Fragment key={number}>
            <dt>{name}</dt>
            <dd class={style}>{value}</dd>
          </Fragment>
        );
      })}
    </dl>
  );
}
