// Written by `cargo xtask check` from crates/analysis: change it there.

export type ReportDocument = {
  schema: string;
  source: string;
  events: number;
  span: number;
  span_ns?: number;
  cores: number;
  start: number;
  end: number;
  frequency_hz: number | null;
  clock_quality: string;
  findings: (Finding)[];
  profile?: (ProfileRow)[];
  performance?: Performance;
  threads?: (ThreadRow)[];
  stacks?: (StackRow)[];
  services?: (ServiceRow)[];
  inversions?: (InversionRow)[];
  preemptions?: (PreemptionRow)[];
  latency?: Latency;
  periods?: (PeriodRow)[];
  cycles?: Cycles;
  deadlines?: (DeadlineRow)[];
  pipeline?: (PipelineRow)[];
  intervals?: (IntervalRow)[];
  isr?: (IsrRow)[];
  locks?: (LockRow)[];
  objects?: (ObjectRow)[];
  communication?: Communication;
  load?: Load;
  context_switches?: ContextSwitches;
  markers?: (MarkerRow)[];
  hardware?: HardwareReport;
  active?: (ActiveObjectRow)[];
  signals?: (SignalRow)[];
  states?: (MachineStates)[];
  transitions?: Transitions;
  timers?: (TimerRow)[];
  filex?: Component;
  netx?: Component;
  usbx?: Component;
  health?: Health;
};

export type Finding = {
  severity: FindingSeverity;
  category: FindingCategory;
  message: string;
  event: number | null;
  start: number | null;
  end: number | null;
};

export type FindingSeverity = "critical" | "warning" | "note";

export type FindingCategory = "unbounded-inversion" | "bounded-inversion" | "stack-overflow" | "stack-use" | "stack-unknown" | "starvation" | "never-ran" | "full-load" | "interrupt-load" | "exhausted" | "unfinished-isr" | "interrupts-off" | "too-short" | "no-time" | "loss" | "filtered" | "failed-assertion" | "broken-machine" | "unhandled" | "missed-deadline" | "unusual-cycle" | "reset" | "unknown";

export type ProfileRow = {
  context: string;
  kind: ProfileKind;
  address: string | null;
  number?: number;
  duration: number;
  duration_ns?: number;
  percent: number | null;
};

export type ProfileKind = "thread" | "isr" | "kernel" | "idle" | "initialize" | "unknown";

export type Performance = {
  dispatches: number;
  context_switches: number;
  preemptions: Preemptions;
  time_slices: number | null;
  relinquishes: number;
  suspensions: number;
  resumptions: number;
  priority_changes: number | null;
  interrupts: number;
  nested_interrupts: number;
  inversions: InversionCounts | null;
};

export type Preemptions = {
  solicited: number;
  interrupt: number;
};

export type InversionCounts = {
  total: number;
  unbounded: number;
};

export type ThreadRow = {
  name: string;
  address: string;
  deleted: boolean;
  priority: number | null;
  highest_priority: number | null;
  lowest_priority: number | null;
  events: number;
  dispatches: number;
  suspensions: number | null;
  resumptions: number | null;
  preemptions: Preemptions | null;
  time_slices: number | null;
  relinquishes: number | null;
  inversions: InversionCounts | null;
  run: Distribution | null;
  states: ThreadStateTimes;
  stack_used_percent: number | null;
};

export type Distribution = {
  count: number;
  min: number;
  mean: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
  max_ns?: number;
  mean_ns?: number;
  event: number;
  histogram: (HistogramBin)[];
};

export type HistogramBin = {
  min: number;
  max: number;
  count: number;
};

export type ThreadStateTimes = {
  running: number;
  interrupted: number;
  ready: number | null;
  waiting: Record<string, number>;
  unknown: number;
};

export type StackRow = {
  thread: string;
  address: string;
  stack_start: string;
  stack_bytes: number;
  min_free: number | null;
  used_percent: number | null;
  event: number | null;
  outside: number;
};

export type ServiceRow = {
  id: number;
  name: string;
  component: string;
  count: number;
  percent: number;
  contexts: number;
};

export type InversionRow = {
  object: string;
  object_address: string | null;
  blocked: string;
  blocked_priority: number;
  owner: string | null;
  owner_priority: number;
  owners: (string)[];
  chain: (string)[];
  get_event: number | null;
  first_event: number | null;
  last_event: number | null;
  start: number;
  end: number;
  duration: number;
  duration_ns?: number;
  unbounded: boolean | null;
  culprits: (CulpritRow)[];
  ending: string;
};

export type CulpritRow = {
  thread: string;
  event: number | null;
};

export type PreemptionRow = {
  thread: string;
  by: string;
  count: number;
  interrupt: number;
  solicited: number;
  ready: Distribution | null;
};

export type Latency = {
  not_recorded: string | null;
  threads: (ThreadLatency)[];
  blocking: (WaitRow)[];
  isr_to_thread: Distribution | null;
  max_interrupt_burst: InterruptBurst | null;
};

export type ThreadLatency = {
  name: string;
  address: string;
  wake_up: Distribution | null;
  response: Distribution | null;
  period: Distribution | null;
  jitter: Distribution | null;
  preempted: Distribution | null;
  waited: (WaitRow)[];
};

export type WaitRow = {
  reason: string;
  object: string | null;
  address: string | null;
  blocking: boolean;
  duration: Distribution;
};

export type InterruptBurst = {
  core: number;
  start: number;
  duration: number;
  duration_ns?: number;
  first_event: number;
  event: number;
};

export type PeriodRow = {
  name: string;
  kind: string;
  activations: number;
  unjudged_periods: number;
  unjudged_responses: number;
  period: Distribution | null;
  jitter: PeriodJitter | null;
  response: Distribution | null;
  cpu_time: Distribution | null;
  run: Distribution | null;
};

export type PeriodJitter = {
  peak_to_peak: number;
  standard_deviation: number;
};

export type Cycles = {
  anchor: string | null;
  kind: string | null;
  period: number | null;
  cycles: number;
  unknown: number;
  inferred_chain: (string)[];
  outliers: (CycleRow)[];
};

export type CycleRow = {
  cycle: number;
  event: number;
  start: number;
  length: number;
  context: string | null;
  measure: string | null;
  measured: number | null;
  usual: number | null;
  excess: number | null;
  did_not_run: (string)[];
  cause: string;
  contexts: (CycleContextRow)[];
};

export type CycleContextRow = {
  context: string;
  cpu: number;
  usual_cpu: number;
  off_core: number | null;
  usual_off_core: number | null;
};

export type DeadlineRow = {
  name: string;
  source: string;
  kind: string;
  period: number | null;
  jitter: number | null;
  deadline: number | null;
  verdict: DeadlineVerdict;
  judged: number;
  unjudged: number;
  misses: (DeadlineMiss)[];
};

export type DeadlineVerdict = "met" | "missed" | "unknown";

export type DeadlineMiss = {
  limit: string;
  start: number;
  event: number;
  observed: number;
  allowed: number;
  cause: string;
  culprit: string | null;
  causes: (MissCause)[];
};

export type MissCause = {
  cause: string;
  duration: number;
  event: number;
};

export type PipelineRow = {
  name: string;
  declared_period: number | null;
  deadline: number | null;
  verdict: DeadlineVerdict | null;
  items: number;
  completed: number;
  late: number;
  dropped: number;
  not_forwarded: number;
  in_progress: number;
  unknown: number;
  latency: Distribution | null;
  period: Distribution | null;
  min_slack: number | null;
  stages: (PipelineStageRow)[];
  misses: (PipelineMiss)[];
};

export type PipelineStageRow = {
  name: string;
  items: number;
  queued: Distribution | null;
  service: Distribution | null;
  cpu_time: Distribution | null;
  misses: number;
  problem: string | null;
};

export type PipelineMiss = {
  item: number;
  outcome: string;
  start: number;
  event: number;
  latency: number;
  stage: string;
  cause: string;
  culprit: string | null;
  causes: (MissCause)[];
};

export type IntervalRow = {
  name: string;
  from: string;
  to: string;
  by: string;
  repeated: string;
  deadline: number | null;
  intervals: number;
  late: number;
  open: number;
  lost: number;
  repeated_starts: number;
  unmatched_ends: number;
  start_unknown: number;
  unpaired: number;
  duration: Distribution | null;
  p95: number | null;
  standard_deviation: number | null;
  longest: (IntervalEntry)[];
};

export type IntervalEntry = {
  duration: number;
  start: number;
  event: number;
  end_event: number;
  context: string;
};

export type IsrRow = {
  name: string;
  address?: string;
  number: number | null;
  activations: number;
  nested: number;
  unfinished: number;
  inferred: number;
  max_nesting: number;
  cores: (number)[];
  total: number;
  total_ns?: number;
  percent: number | null;
  duration: Distribution | null;
  self_duration: Distribution | null;
  interarrival: Distribution | null;
};

export type LockRow = {
  object: string;
  object_address: string;
  acquisitions: number;
  contended: number;
  contended_percent: number | null;
  hold: Distribution | null;
  wait: Distribution | null;
  given_up: number;
  max_hold: MaxHold | null;
  max_waiting: number;
  owner_at_end: string | null;
  inversions: InversionCounts | null;
};

export type MaxHold = {
  thread: string;
  address: string | null;
  duration: number;
  first_event: number;
  event: number;
};

export type ObjectRow = {
  object: string;
  class: string;
  object_address: string;
  calls: number;
  puts: number;
  takes: number;
  blocked: number;
  refused: number;
  level: LevelRow | null;
  capacity: number | null;
  high_water_percent: number | null;
  waiters: WaiterTotals;
  transfer: Distribution | null;
};

export type LevelRow = {
  at_start: number | null;
  at_end: number | null;
  min: number;
  max: number;
  mean: number | null;
  min_event: number;
  max_event: number;
  known_percent: number | null;
  graph: ([number, number | null, number | null])[];
};

export type WaiterTotals = {
  count: number;
  total: number;
  total_ns?: number;
  max: number;
  max_event: number | null;
};

export type Communication = {
  uses: (ObjectUse)[];
  flows: (FlowRow)[];
};

export type ObjectUse = {
  object: string;
  class: string;
  context: string;
  puts: number;
  takes: number;
  blocked_puts: number;
  blocked_takes: number;
  refused_puts: number;
  refused_takes: number;
  first_event: number;
};

export type FlowRow = {
  kind: string;
  from: string | null;
  object: string | null;
  to: string | null;
  count: number;
  latency: Distribution | null;
  first_event: number;
};

export type Load = {
  window: number;
  window_ns?: number;
  start: (number)[];
  end: number;
  busy: (number | null)[];
  peak: LoadPeak | null;
  events: (number)[];
  contexts: (LoadRow)[];
};

export type LoadPeak = {
  window: number;
  start: number;
  percent: number;
};

export type LoadRow = {
  context: string;
  kind: ProfileKind;
  address: string | null;
  cpu_time: (number)[];
  percent: (number)[];
};

export type ContextSwitches = {
  idle: IdleTime;
  wake_ups: IdleWakeUps;
  interrupts_off: InterruptsOffReport | null;
  kernel: TimeShare;
  handlers: (HandlerRow)[];
  dispatches: number;
  context_switches: number;
  dispatches_per_second: number | null;
  resumes: Record<string, number>;
  threads: (ThreadSwitchRow)[];
  gaps: number;
  unknown: TimeShare;
};

export type IdleTime = {
  total: number;
  total_ns?: number;
  percent: number | null;
  periods: number;
  duration: Distribution | null;
};

export type IdleWakeUps = {
  to_thread: Distribution | null;
  spurious: Distribution | null;
};

export type InterruptsOffReport = {
  count: number;
  nested: number;
  total: number;
  total_ns?: number;
  percent: number | null;
  duration: Distribution | null;
  longest: (InterruptsOffRow)[];
  unknown: UnknownDurations;
};

export type InterruptsOffRow = {
  context: string;
  handler: string | null;
  core: number;
  start: number;
  duration: number;
  duration_ns?: number;
  complete: boolean;
  beginning: string;
  ending: string;
  nested: number;
  first_event: number;
  last_event: number;
  disabled_at: CodeLocationRow | null;
  enabled_at: CodeLocationRow | null;
};

export type CodeLocationRow = {
  address: string;
  function: string | null;
  file: string | null;
  line: number | null;
  text: string;
};

export type UnknownDurations = {
  start_unknown: number;
  switched: number;
  unrecorded: number;
  lost: number;
  open: number;
};

export type TimeShare = {
  total: number;
  total_ns?: number;
  percent: number | null;
};

export type HandlerRow = {
  name: string;
  address: string | null;
  activations: number;
  nested: number;
  total: number;
  total_ns?: number;
  percent: number | null;
  max: number | null;
  max_event: number | null;
};

export type ThreadSwitchRow = {
  name: string;
  address: string;
  dispatches: number;
  resumes: number;
  total: number;
  total_ns?: number;
  percent: number | null;
};

export type MarkerRow = {
  name: string;
  spans: number;
  instants: number;
  begin_unknown: number;
  lost: number;
  open: number;
  duration: Distribution | null;
  period: Distribution | null;
};

export type HardwareReport = {
  units: (HardwareRow)[];
  slots: (SlotRow)[];
};

export type HardwareRow = {
  name: string;
  kicks: number;
  busy_time: number;
  busy_percent: number | null;
  busy: Distribution | null;
  down: Distribution | null;
  cpu_worked_percent: number | null;
  cpu_idle_percent: number | null;
  end_unknown: number;
  kicks_while_busy: number;
  ends_while_idle: number;
};

export type SlotRow = {
  schedule: string;
  subject: string;
  spans: number;
  outside: number;
  max_early: number;
  max_late: number;
  event: number | null;
  unplanned: number;
};

export type ActiveObjectRow = {
  name: string;
  address: string;
  posted: number;
  steps: number;
  endings: StepEndings;
  guards_false: number;
  deferred: number;
  recalled: number;
  busy_time: number;
  busy_time_ns?: number;
  busy_percent: number | null;
  duration: Distribution | null;
  queueing: Distribution | null;
  response: Distribution | null;
  max_queued: QueuePeak | null;
  queue: ActiveObjectQueue | null;
};

export type StepEndings = {
  processed: number;
  unhandled: number;
  guard_false: number;
  no_branch: number;
  failed: number;
  lost: number;
  unrecorded: number;
  open: number;
};

export type QueuePeak = {
  events: number;
  event: number;
};

export type ActiveObjectQueue = {
  name: string;
  address: string;
  capacity: number | null;
  min_free: number | null;
};

export type SignalRow = {
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
  slowest: SlowestResponse | null;
};

export type SlowestResponse = {
  duration: number;
  post_event: number;
  first_event: number;
  last_event: number;
};

export type MachineStates = {
  object: string;
  address: string;
  states: (StateRow)[];
  unknown: number;
  unknown_ns?: number;
  unknown_percent: number | null;
  active: (StateRow)[];
};

export type StateRow = {
  state: string;
  address: string;
  duration: number;
  duration_ns?: number;
  percent: number | null;
  visits: number;
  uncertain: number;
  max: number;
  max_event: number;
};

export type Transitions = {
  taken: (TransitionRow)[];
  states_never_entered: (NeverEnteredState)[];
  signals_never_received: (NeverReceivedSignal)[];
};

export type TransitionRow = {
  object: string;
  source: string;
  trigger: string | null;
  target: string | null;
  settled: string | null;
  initial: boolean;
  count: number;
  first_event: number;
  last_event: number;
  actions: (ActionCount)[];
};

export type ActionCount = {
  role: string;
  function: string;
  count: number;
};

export type NeverEnteredState = {
  object: string | null;
  state: string;
};

export type NeverReceivedSignal = string;

export type TimerRow = {
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
  nominal: (NominalRuns)[];
  jitter: Distribution | null;
  delay: Distribution | null;
};

export type NominalRuns = {
  timer_ticks: number;
  periodic: boolean;
  duration: Distribution;
};

export type Component = Record<string, number>;

export type Health = {
  events: number;
  span: number;
  span_ns?: number;
  events_per_second: number | null;
  coverage: Coverage;
  overwritten: boolean | null;
  gaps: (GapRow)[];
  restarts?: (number)[];
  lost_events: number;
  clock: ClockHealth;
  registry: RegistryHealth;
  unfinished_isrs: number;
  inferred_isrs: number;
  active?: ActiveObjectHealth;
  severities: SeverityCounts;
  diagnostics: (DiagnosticRow)[];
};

export type Coverage = {
  start: number | null;
  end: number | null;
  percent: number | null;
};

export type GapRow = {
  before_event: number;
  missing: number | null;
};

export type ClockHealth = {
  quality: string;
  direction: string;
  bits: number;
  period: number | null;
  wraps: number;
  backward_steps: number;
  frequency_hz: number | null;
};

export type RegistryHealth = {
  objects: number;
  deleted: number;
  unnamed_threads: number;
  full: boolean;
};

export type ActiveObjectHealth = {
  untaken_posts: number;
  unposted_steps: number;
  lost_steps: number;
  unrecorded_steps: number;
  uncertain_visits: number;
  lost_timers: number;
};

export type SeverityCounts = {
  error: number;
  warning: number;
  info: number;
};

export type DiagnosticRow = {
  severity: string;
  kind: string;
  message: string;
  event: number | null;
  offset: number | null;
  count: number;
};

export type CriticalPathReport = {
  event: number;
  context: string;
  start: number;
  end: number;
  duration: number;
  origin: string;
  origin_text: string;
  segments: (PathSegmentRow)[];
  contexts: (PathContextTotal)[];
  causes: (PathCauseTotal)[];
};

export type PathSegmentRow = {
  start: number;
  end: number;
  duration: number;
  event: number;
  context: string;
  thread: number | null;
  core: number | null;
  isr: number | null;
  runs: boolean;
  cause: string;
  blocks: string | null;
  resumes: PathResumption | null;
};

export type PathResumption = {
  event: number;
  context: string;
  waited: string;
};

export type PathContextTotal = {
  context: string;
  duration: number;
  share: number | null;
};

export type PathCauseTotal = {
  context: string;
  cause: string;
  duration: number;
  share: number | null;
  event: number;
};

export type ComparisonDocument = {
  schema: string;
  baseline: (string)[];
  recordings: (string)[];
  figures: (ComparedFigure)[];
  new: (Subject)[];
  vanished: (Subject)[];
};

export type ComparedFigure = {
  table: string;
  subject: string;
  figure: string;
  unit: FigureUnit;
  before: number;
  after: number;
  percent: number | null;
  verdict: Verdict;
  probability: number | null;
};

export type FigureUnit = "nanoseconds" | "ticks" | "percent" | "amount" | "per-second";

export type Verdict = "changed" | "not-changed" | "undecided";

export type Subject = {
  table: string;
  subject: string;
};

export type RecordingFigures = {
  source: string;
  figures: (Figure)[];
  others: (Subject)[];
};

export type Figure = {
  table: string;
  subject: string;
  figure: string;
  unit: FigureUnit;
  value: number;
};

export type FigureDetails = {
  event: number | null;
  start: number | null;
  end: number | null;
  durations: Durations | null;
};

export type Durations = {
  is_time: boolean;
  counts: ([number, number])[];
};

export type OverlaidHistogram = {
  unit: FigureUnit;
  is_logarithmic: boolean;
  bins: (OverlaidBin)[];
  before: number;
  after: number;
};

export type OverlaidBin = {
  min: number;
  max: number;
  before: number;
  after: number;
};
