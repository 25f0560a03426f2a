/** Reports of the command line. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Distribution, ProfileRow, ReportDocument } from "../../src/session/reports";
import { program } from "./server";

const execute = promisify(execFile);

/** The reports, as far as tests read them. */
export interface Reports extends ReportDocument {
  events: number;
  profile: ProfileRow[];
  performance: Record<
    | "context_switches"
    | "time_slices"
    | "suspensions"
    | "resumptions"
    | "interrupts"
    | "nested_interrupts",
    number
  > & {
    preemptions: { solicited: number; interrupt: number };
    inversions: { total: number; unbounded: number };
  };
  threads: { name: string; suspensions: number; resumptions: number }[];
  stacks: {
    thread: string;
    stack_bytes: number;
    min_free: number | null;
    used_percent: number | null;
    event: number | null;
  }[];
  services: { name: string; count: number }[];
  inversions: {
    blocked: string;
    owner: string | null;
    start: number;
    end: number;
    duration: number;
    first_event: number | null;
    unbounded: boolean | null;
  }[];
  preemptions: { thread: string; by: string; count: number }[];
  latency: {
    threads: ({
      name: string;
      waited: { object: string | null; reason: string; duration: Distribution }[];
    } & Record<"wake_up" | "response" | "period" | "jitter", Distribution | null>)[];
  };
  periods: {
    name: string;
    kind: string;
    run: Distribution | null;
    response: Distribution | null;
  }[];
  intervals?: {
    name: string;
    intervals: number;
    duration: Distribution | null;
    p95: number | null;
    longest: { duration: number; start: number; event: number }[];
  }[];
  objects: { object: string; transfer: Distribution | null }[];
  communication: {
    uses: { object: string; class: string; puts: number; takes: number; first_event: number }[];
  };
  active: { name: string; busy_percent: number | null }[];
  signals: { posted: number; slowest: { post_event: number } | null }[];
  states: { object: string; states: { state: string; percent: number; visits: number }[] }[];
  transitions: { taken: unknown[]; states_never_entered: unknown[] };
  timers: unknown[];
  filex: Record<string, number>;
  context_switches: {
    dispatches: number;
    handlers: { name: string; activations: number }[];
    interrupts_off: { duration: Distribution | null } | null;
  };
}

/** Reports by file and options. The files of tests do not change. */
const known = new Map<string, Promise<Reports>>();

/** All reports, as `rtoscope report --format json` writes them. */
export function reported(file: string, options: readonly string[] = []): Promise<Reports> {
  const key = JSON.stringify([file, options]);
  const report = known.get(key) ?? run(file, options);
  known.set(key, report);
  return report;
}

async function run(file: string, options: readonly string[]): Promise<Reports> {
  const { stdout } = await execute(program(), ["report", "--format", "json", ...options, file], {
    maxBuffer: 64 << 20,
  });
  return JSON.parse(stdout) as Reports;
}
