/** Navigation commands. */

import type { Direction } from "../../session/wire";
import { goToEnd, step } from "../../state/navigation";
import type { TraceState } from "../../state/trace";
import { set } from "../controls";
import { openDialog } from "../dialogs/open-dialog";
import { type Command, commandsOf } from "./command";

const { ofTrace } = commandsOf("Go to");

const stepEvent = (direction: Direction) => (trace: TraceState) =>
  void step(trace, direction, { mode: "event" });
const stepMatch = (direction: Direction) => (trace: TraceState) => void step(trace, direction);
const goTo = (end: "first" | "last") => (trace: TraceState) => void goToEnd(trace, end);
const pan = (by: number) => (trace: TraceState) => trace.pan(by);

export const moveCommands: readonly Command[] = [
  ofTrace("previous-event", "Previous event", ["ArrowLeft"], stepEvent("previous"), {
    icon: "previous",
  }),
  ofTrace("next-event", "Next event", ["ArrowRight"], stepEvent("next"), { icon: "next" }),
  ofTrace("previous", "Previous match of the step mode", ["Shift+N", ","], stepMatch("previous"), {
    icon: "previous",
  }),
  ofTrace("next", "Next match of the step mode", ["N", "."], stepMatch("next"), { icon: "next" }),
  ofTrace("first", "First event", ["Home"], goTo("first"), { icon: "first" }),
  ofTrace("last", "Last event", ["End"], goTo("last"), { icon: "last" }),
  ofTrace("page-left", "Page left", ["PageUp"], pan(-0.9)),
  ofTrace("page-right", "Page right", ["PageDown"], pan(0.9)),
  ofTrace("go-to", "Go to an event or a time…", ["G"], set(openDialog, "go-to"), { icon: "go" }),
];
