/** Navigation commands. */

import { goToEnd, step } from "../../state/navigation";
import { openDialog } from "../dialogs/open-dialog";
import { type Command, traceCommand } from "./command";

const group = "Go to";
const EVENT = { mode: "event" } as const;

export const moveCommands: readonly Command[] = [
  traceCommand(group, {
    id: "previous-event",
    title: "Previous event",
    keys: ["ArrowLeft"],
    icon: "previous",
    run: (trace) => void step(trace, "previous", EVENT),
  }),
  traceCommand(group, {
    id: "next-event",
    title: "Next event",
    keys: ["ArrowRight"],
    icon: "next",
    run: (trace) => void step(trace, "next", EVENT),
  }),
  traceCommand(group, {
    id: "previous",
    title: "Previous match of the step mode",
    keys: ["Shift+N", ","],
    icon: "previous",
    run: (trace) => void step(trace, "previous"),
  }),
  traceCommand(group, {
    id: "next",
    title: "Next match of the step mode",
    keys: ["N", "."],
    icon: "next",
    run: (trace) => void step(trace, "next"),
  }),
  traceCommand(group, {
    id: "first",
    title: "First event",
    keys: ["Home"],
    icon: "first",
    run: (trace) => void goToEnd(trace, "first"),
  }),
  traceCommand(group, {
    id: "last",
    title: "Last event",
    keys: ["End"],
    icon: "last",
    run: (trace) => void goToEnd(trace, "last"),
  }),
  traceCommand(group, {
    id: "page-left",
    title: "Page left",
    keys: ["PageUp"],
    run: (trace) => trace.pan(-0.9),
  }),
  traceCommand(group, {
    id: "page-right",
    title: "Page right",
    keys: ["PageDown"],
    run: (trace) => trace.pan(0.9),
  }),
  traceCommand(group, {
    id: "go-to",
    title: "Go to an event or a time…",
    keys: ["G"],
    icon: "go",
    run: () => {
      openDialog.value = "go-to";
    },
  }),
];
