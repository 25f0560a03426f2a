/** Roles of bar classes in drawing. */

import type { BarClassName } from "../session/wire";

/** Role of a bar, whatever its colour. */
export const Role = {
  nothing: 0,
  unknown: 1,
  ready: 2,
  running: 3,
  waiting: 4,
  thread: 5,
  isr: 6,
  nestedIsr: 7,
  idle: 8,
  initialize: 9,
  interrupted: 10,
  state: 11,
} as const;

const NAMED: Record<string, number> = {
  nothing: Role.nothing,
  unknown: Role.unknown,
  ready: Role.ready,
  running: Role.running,
  thread: Role.thread,
  isr: Role.isr,
  "nested-isr": Role.nestedIsr,
  idle: Role.idle,
  initialize: Role.initialize,
  interrupted: Role.interrupted,
  // Drawn like an interrupt service routine that is not nested.
  kernel: Role.isr,
  "interrupts-off": Role.running,
  marker: Role.running,
  // Thin.
  "endless-marker": Role.ready,
  "queued-item": Role.ready,
  item: Role.running,
  "late-item": Role.running,
  "log-error": Role.running,
  "log-warning": Role.running,
  "log-info": Role.running,
  "log-debug": Role.running,
  "log-line": Role.running,
};

/** Name prefix of the classes that machine states use in turn. */
export const STATE = "state-";

/** Roles by class code. Classes without a role of their own are waits. */
export function rolesOf(classes: readonly BarClassName[]): Uint8Array {
  const roles = new Uint8Array(256);
  for (const { code, name } of classes) {
    roles[code] = name.startsWith(STATE) ? Role.state : (NAMED[name] ?? Role.waiting);
  }
  return roles;
}
