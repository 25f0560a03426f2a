/** The lower edge of a lane's name, which is dragged to change the lane's height. */

import { useRef } from "preact/hooks";
import { whileDragged } from "../../shell/dragging";
import { snappedHeight } from "../../state/lane-looks";
import { showError } from "../../state/viewer";
import type { PlacedRow } from "../layout";
import type { TimelineView } from "../view";

interface LaneEdgeProps {
  view: TimelineView;
  placed: PlacedRow;
  lane: number;
}

export function LaneEdge({ view, placed, lane }: LaneEdgeProps) {
  const { trace } = view;
  const isChanged = useRef(false);
  const begin = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof HTMLElement) || event.button !== 0) return;
    // The name itself is dragged to another place.
    event.stopPropagation();
    event.preventDefault();
    const { row, height } = placed;
    const standard = view.layout.peek().standardHeight(row);
    whileDragged(event.currentTarget, event, (moved) => {
      isChanged.current = true;
      const wanted = height + moved.clientY - event.clientY;
      trace.lanes.change(lane, { height: snappedHeight(wanted, standard) });
    });
  };
  const save = () => {
    if (!isChanged.current) return;
    isChanged.current = false;
    const { height } = trace.lanes.look(lane) ?? {};
    trace.changeLook(lane, { height }).catch(showError);
  };
  return (
    <span
      class="lane-edge"
      aria-hidden="true"
      title="Drag to change the height"
      onPointerDown={begin}
      onLostPointerCapture={save}
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => {
        event.stopPropagation();
        trace.changeLook(lane, { height: undefined }).catch(showError);
      }}
    />
  );
}
