/** Icon of an event kind: its letters on its colours, as in the lanes. */

import type { EventKind } from "../../session/wire";
import { halves } from "../../timeline/surface/icons";
import "./kind-icon.css";

export function KindIcon({
  kind,
}: {
  kind: Pick<EventKind, "letters" | "colour" | "lower_colour">;
}) {
  const [left, right] = halves(kind);
  const background =
    left.colour === right.colour
      ? left.colour
      : `linear-gradient(to right, ${left.colour} 50%, ${right.colour} 50%)`;
  return (
    <span class="kind-icon" aria-hidden="true" style={{ background }}>
      {[left, right].map(({ letters, letterColour }, at) => (
        <span key={at} style={{ color: letterColour }}>
          {letters}
        </span>
      ))}
    </span>
  );
}
