/**
 * The toolbar: files, navigation, zoom, search, settings. What narrow windows hide is in the menu.
 */

import { ModeBar } from "../panels/navigation/ModeBar";
import { ZoomBox } from "../panels/navigation/ZoomBox";
import { active } from "../state/viewer";
import { CommandButton } from "./CommandButton";
import { command, isApplicable } from "./commands";
import { Segments } from "./controls";
import { Menu } from "./Menu";
import "./toolbar.css";

const AXES = [
  { key: "time", title: "Time", hint: "Time view (T)" },
  { key: "index", title: "Sequential", hint: "Sequential view: equally spaced events (T)" },
] as const;

function AxisSwitch() {
  const trace = active.value;
  const { run } = command("axis");
  const axis = trace?.axis.value;
  return (
    <Segments
      label="View"
      of={AXES.map((one) => ({ ...one, disabled: trace === null }))}
      chosen={axis}
      choose={(one) => {
        if (axis !== one) run();
      }}
    />
  );
}

export function Toolbar() {
  const trace = active.value;
  return (
    <div class="toolbar" role="toolbar" aria-label="Commands">
      <CommandButton id="open" text="Open" />
      {trace && (
        <>
          <span class="gap" />
          <ModeBar key={trace.id} trace={trace} />
          <span class="gap" />
          <CommandButton id="zoom-out" />
          <span class="wide medium">
            <ZoomBox key={trace.id} trace={trace} />
          </span>
          <CommandButton id="zoom-in" />
          <CommandButton id="zoom-whole" />
          <span class="wide">
            <CommandButton id="zoom-range" />
          </span>
          <span class="wide medium">
            <AxisSwitch />
          </span>
          <span class="gap" />
          <CommandButton id="search" />
          <span class="wide">
            <CommandButton id="bookmark" />
            <CommandButton id="pin" />
            <CommandButton id="clock" />
            {isApplicable(command("post-arrows")) && <CommandButton id="post-arrows" />}
          </span>
        </>
      )}
      <span class="space" />
      <span class="wide">
        {trace && <CommandButton id="png" />}
        <CommandButton id="palette" />
      </span>
      <span class="wide medium roomy">
        <CommandButton id="theme" />
        <CommandButton id="keys" />
      </span>
      <Menu />
    </div>
  );
}
