/** Icon of an event kind: its letters on its colours. */

import type { EventKind } from "../../session/wire";
import { readableOn } from "../../timeline/colour";
import { lowerColour } from "../../timeline/surface/icons";
import "./kind-icon.css";

export function KindIcon({
  kind,
}: {
  kind: Pick<EventKind, "letters" | "colour" | "lower_colour">;
}) {
  const { letters, colour } = kind;
  const lower = lowerColour(kind);
  const background = colour === lower ? colour : `linear-gradient(${colour} 50%, ${lower} 50%)`;
  return (
    <span class="kind-icon" aria-hidden="true" style={{ background, color: readableOn(colour) }}>
      {letters}
    </span>
  );
}
