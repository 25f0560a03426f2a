/** Counters of a component. */

import { FigureList } from "./FigureList";

const ACRONYM = /\b(?:arp|dhcp|dns|icmp|igmp|ip|rarp|tcp|udp)\b/g;

const words = (key: string) => {
  const text = key.replaceAll("_", " ").replace(ACRONYM, (name) => name.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export function Counters({ name, counts }: { name: string; counts: Record<string, number> }) {
  const all = Object.entries(counts);
  const used = all.filter(([, count]) => count > 0);
  if (used.length === 0)
    return <p class="nothing">Not used: no event of {name} in this part of the trace.</p>;
  return (
    <>
      <FigureList
        label={name}
        figures={used.map(([key, value]) => ({ name: words(key), value }))}
      />
      {used.length < all.length && (
        <p class="muted">The other {all.length - used.length} counters are 0.</p>
      )}
    </>
  );
}
