/** The contract `rtoscope/report/2`; see crates/analysis. Ticks and events are numbers. */

export interface ReportDocument {
  schema: string;
  source: string;
  events: number;
  span_ticks: number;
  cores: number;
  start_ticks: number;
  end_ticks: number;
  frequency_hz: number | null;
  clock_quality: string;
  findings: Finding[];
  profile?: ProfileRow[];
  performance?: Performance;
  threads?: ThreadRow[];
  stacks?: StackRow[];
  services?: ServiceRow[];
  inversions?: InversionRow[];
  latency?: Latency;
  isr?: IsrRow[];
  locks?: LockRow[];
  objects?: ObjectRow[];
  load?: Load;
  context_switches?: ContextSwitches;
  active?: ActiveRow[];
  signals?: SignalRow[];
  states?: MachineRow[];
  transitions?: Transitions;
  timers?: TimerRow[];
  filex?: Counters;
  netx?: Counters;
  usbx?: Counters;
  health?: Health;
}

export interface Finding {
  severity: "critical" | "warning" | "note";
  category: string;
  message: string;
  event: number | null;
}

export interface ProfileRow {
  context: string;
  kind: string;
  address: string | null;
  ticks: number;
  percent: number | null;
}

export interface Preemptions {
  solicited: number;
  interrupt: number;
}

export interface InversionCounts {
  total: number;
  unbounded: number;
}

export interface Performance {
  dispatches: number;
  context_switches: number;
  preemptions: Preemptions;
  time_slices: number;
  relinquishes: number;
  suspensions: number;
  resumptions: number;
  priority_changes: number;
  interrupts: number;
  nested_interrupts: number;
  inversions: InversionCounts;
}

export interface ThreadRow {
  name: string;
  address: string;
  deleted: boolean;
  priority: number | null;
  highest_priority: number | null;
  lowest_priority: number | null;
  events: number;
  dispatches: number;
  suspensions: number;
  resumptions: number;
  preemptions: Preemptions;
  time_slices: number;
  relinquishes: number;
  inversions: InversionCounts;
  states: {
    running: number;
    interrupted: number;
    ready: number;
    waiting: Record<string, number>;
    unknown: number;
  };
  stack: Stack | null;
}

export interface Stack {
  start: string;
  size: number;
  min_free: number | null;
  used_percent: number | null;
  event: number | null;
  outside: number;
}

export interface StackRow extends Stack {
  thread: string;
  address: string;
}

export interface ServiceRow {
  id: number;
  name: string;
  component: string;
  count: number;
  percent: number;
  contexts: number;
}

export interface InversionRow {
  object: string;
  blocked: string;
  blocked_priority: number;
  owner: string | null;
  owner_priority: number;
  owners: string[];
  chain: string[];
  get_event: number | null;
  start_event: number | null;
  end_event: number | null;
  start_ticks: number;
  end_ticks: number;
  ticks: number;
  unbounded: boolean | null;
  culprits: { thread: string; event: number | null }[];
  ending: string;
}

/** Distribution of durations in ticks. */
export interface Distribution {
  count: number;
  min: number;
  mean: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
  /** Event at which the maximum ended. */
  event: number;
  /** Number of durations in each bin. */
  histogram: Bin[];
}

/** A bin of a histogram, both ends included. */
export interface Bin {
  min: number;
  max: number;
  count: number;
}

export interface Waited {
  reason: string;
  object: string | null;
  blocking: boolean;
  duration: Distribution;
}

export interface ThreadLatency {
  name: string;
  address: string;
  wake_up: Distribution | null;
  response: Distribution | null;
  period: Distribution | null;
  jitter: Distribution | null;
  preempted: Distribution | null;
  waited: Waited[];
}

export interface Latency {
  threads: ThreadLatency[];
  blocking: Waited[];
  isr_to_thread: Distribution | null;
  max_interrupt_burst: {
    core: number;
    start_ticks: number;
    ticks: number;
    first_event: number;
    event: number;
  } | null;
}

export interface IsrRow {
  name: string;
  number: number | null;
  activations: number;
  nested: number;
  unfinished: number;
  inferred: number;
  max_nesting: number;
  cores: number[];
  ticks: number;
  percent: number | null;
  duration: Distribution | null;
  self_duration: Distribution | null;
  interarrival: Distribution | null;
}

/** Report on context switches. */
export interface ContextSwitches {
  idle: TimeShare & { periods: number; duration: Distribution | null };
  wake_ups: { to_thread: Distribution | null; spurious: Distribution | null };
  /** `null` if the recording never reports disabled interrupts. */
  interrupts_off: InterruptsOff | null;
  kernel: TimeShare;
  handlers: SwitchedHandler[];
  dispatches: number;
  context_switches: number;
  dispatches_per_second: number | null;
  /** By name of the event. */
  resumes: Record<string, number>;
  threads: SwitchedThread[];
  gaps: number;
  unknown: TimeShare;
}

/** Share of the time of all cores. */
export interface TimeShare {
  ticks: number;
  percent: number | null;
}

export interface SwitchedHandler extends TimeShare {
  name: string;
  address: string | null;
  activations: number;
  nested: number;
  max_ticks: number | null;
  max_event: number | null;
}

export interface SwitchedThread extends TimeShare {
  name: string;
  address: string;
  dispatches: number;
  resumes: number;
}

export interface InterruptsOff extends TimeShare {
  count: number;
  nested: number;
  duration: Distribution | null;
  longest: OffRow[];
  /** Number of sections with unknown duration, by reason. */
  unknown: Record<"start_unknown" | "switched" | "unrecorded" | "lost" | "open", number>;
}

export interface OffRow {
  context: string;
  handler: string | null;
  core: number;
  start_ticks: number;
  ticks: number;
  complete: boolean;
  beginning: "disabled" | "found";
  ending: "restored" | "switched" | "unrecorded" | "lost" | "open";
  nested: number;
  first_event: number;
  last_event: number;
  disabled_at: CodeLocation | null;
  enabled_at: CodeLocation | null;
}

export interface CodeLocation {
  address: string;
  function: string | null;
  file: string | null;
  line: number | null;
  text: string;
}

export interface LockRow {
  name: string;
  address: string;
  acquisitions: number;
  contended: number;
  contended_percent: number | null;
  hold: Distribution | null;
  wait: Distribution | null;
  given_up: number;
  max_hold: {
    thread: string;
    ticks: number;
    first_event: number;
    event: number;
  } | null;
  max_waiting: number;
  owner_at_end: string | null;
  inversions: InversionCounts;
}

export interface ObjectRow {
  name: string;
  class: string;
  address: string;
  calls: number;
  puts: number;
  takes: number;
  blocked: number;
  refused: number;
  level: {
    at_start: number | null;
    at_end: number | null;
    min: number;
    max: number;
    mean: number | null;
    min_event: number;
    max_event: number;
  } | null;
  capacity: number | null;
  high_water_percent: number | null;
  waiters: { count: number; ticks: number; max_ticks: number; max_event: number | null };
  transfer: Distribution | null;
}

export interface Load {
  window_ticks: number;
  start_ticks: number[];
  end_ticks: number;
  busy: (number | null)[];
  peak: { window: number; start_ticks: number; percent: number } | null;
  events: number[];
  contexts: { context: string; kind: string; ticks: number[]; percent: number[] }[];
}

/** Endings of an active object's steps. */
export interface Endings {
  processed: number;
  unhandled: number;
  guard_false: number;
  no_branch: number;
  failed: number;
  lost: number;
  unrecorded: number;
  open: number;
}

export interface ActiveRow {
  name: string;
  address: string;
  posted: number;
  steps: number;
  endings: Endings;
  guards_false: number;
  deferred: number;
  recalled: number;
  busy_ticks: number;
  busy_percent: number | null;
  duration: Distribution | null;
  queueing: Distribution | null;
  response: Distribution | null;
  max_queued: { events: number; event: number } | null;
  queue: {
    name: string;
    address: string;
    capacity: number | null;
    min_free: number | null;
  } | null;
}

export interface SignalRow {
  object: string;
  signal: string;
  number: number;
  sender: string | null;
  posted: number;
  front: number;
  recalled: number;
  taken: number;
  queueing: Distribution | null;
  response: Distribution | null;
  slowest: { ticks: number; post_event: number; first_event: number; last_event: number } | null;
}

export interface StateRow {
  state: string;
  address: string;
  ticks: number;
  percent: number | null;
  visits: number;
  uncertain: number;
  max_ticks: number;
  max_event: number;
}

export interface MachineRow {
  object: string;
  address: string;
  states: StateRow[];
  unknown_ticks: number;
  unknown_percent: number | null;
  active: StateRow[];
}

export interface TransitionRow {
  object: string;
  source: string;
  trigger: string | null;
  target: string | null;
  settled: string | null;
  initial: boolean;
  count: number;
  first_event: number;
  last_event: number;
  actions: { role: string; function: string; count: number }[];
}

export interface Transitions {
  taken: TransitionRow[];
  states_never_entered: { object: string | null; state: string }[];
  signals_never_received: string[];
}

export interface TimerRow {
  name: string;
  address: string;
  object: string;
  signal: string | null;
  runs: number;
  expired: number;
  stopped: number;
  restarted: number;
  running: number;
  lost: number;
  nominal: { timer_ticks: number; periodic: boolean; duration: Distribution }[];
  jitter: Distribution | null;
  delay: Distribution | null;
}

/** Counters of a component by name. */
export type Counters = Record<string, number>;

export interface Health {
  events: number;
  events_per_second: number | null;
  coverage: { first_ticks: number | null; last_ticks: number | null; percent: number | null };
  overwritten: boolean;
  gaps: { before_event: number; missing: number | null }[];
  lost_events: number;
  clock: {
    quality: string;
    direction: string;
    bits: number;
    period_ticks: number | null;
    wraps: number;
    backward_steps: number;
    frequency_hz: number | null;
  };
  registry: { objects: number; deleted: number; unnamed_threads: number; full: boolean };
  unfinished_isrs: number;
  inferred_isrs: number;
  severities: { error: number; warning: number; info: number };
}

const SCHEMA = "rtoscope/report/2";

/** The answer as a report document; `null` if there is no answer. */
export function documentOf(answer: Record<string, unknown> | null): ReportDocument | null {
  if (answer === null) return null;
  if (answer.schema !== SCHEMA) throw new Error(`not a report of the contract ${SCHEMA}`);
  return answer as unknown as ReportDocument;
}
