/** Traces for tests. */

import { fileURLToPath } from "node:url";

/** A recording of the repository. */
export function recording(name: string): string {
  return fileURLToPath(new URL(`../../../testdata/threadx/${name}.trx`, import.meta.url));
}

/** An RKH stream of the repository. */
function stream(name: string): string {
  return fileURLToPath(new URL(`../../../testdata/rkh/${name}.bin`, import.meta.url));
}

/** Four active objects that post events to each other. */
export const ACTIVE = stream("nat_short");
/** One core: 3000 events, interrupts, queues, two kinds of mutexes, priority inversions. */
export const SYSTEM = recording("cm3_system");
/** Another run of the same firmware, recorded from its start. */
export const SHORT = recording("cm3_short");
/** Several cores. */
export const SMP = recording("smp32_cores");
/** Numbered interrupts that nest. */
export const INTERRUPTS = recording("linux32_isr");
/** The ring was overwritten. */
export const WRAPPED = recording("linux32_wrap");
/** The processor was halted while an event was written. */
export const HALTED = recording("cm3_midinsert");
/** The clock was stopped. */
export const STILL = recording("cm3_dwt_zero");
/** File system events. */
export const FILES = recording("linux32_filex");

function firmware(name: string): string {
  return fileURLToPath(new URL(`../../../testdata/firmware/${name}`, import.meta.url));
}

/** Memory dump of a demonstration with a context-switch log, and how to find it. */
export const MEMORY = firmware("memory.bin.gz");
export const LOG_IN_MEMORY = [
  "--input-format",
  "cswitch",
  "--elf",
  firmware("demo.elf"),
  "-O",
  "log-base=0x20000000",
];

/** Frames that pass a pipeline, some of them late or dropped. */
export const CAMERA = firmware("camera/memory.bin.gz");
export const CAMERA_PIPELINE = [
  "--input-format",
  "threadx",
  "--clock",
  "25MHz",
  "--config",
  firmware("camera/messages.toml"),
];
