-- Contexts that ran while a thread was ready
--
-- One row for each pair of a ready interval of a thread and a slice that overlaps it, on every core.
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   context_id: number of the ready thread
--   context: name of the ready thread
--   ready_start: start of the ready interval, in ticks
--   ready_event: event that made the thread ready
--   core: the core
--   kind: kind of the running context: `thread`, `isr`, `kernel`, `idle`, `unknown` …
--   runner_id: number of the running context
--   runner: name of the running context
--   isr: the interrupt service routine, if one was running
--   start: start of the overlap, in ticks
--   duration: duration of the overlap, in ticks
WITH
  running AS (
    SELECT
      file,
      recording_id,
      core,
      start,
      "end",
      kind,
      context_id,
      context,
      isr,
      CAST(row_number() OVER (PARTITION BY recording_id, core ORDER BY start) AS BIGINT) AS slice_number
    FROM slices
    WHERE duration > 0
  ),
  ready AS (
    SELECT file, recording_id, context_id, context, start, "end", event
    FROM thread_states
    WHERE state = 'ready' AND duration > 0
  ),
  -- Starts of slices, and starts and ends of ready intervals, merged by time.
  marks AS (
    SELECT
      file,
      recording_id,
      core,
      start AS time,
      1 AS rank,
      slice_number,
      CAST(NULL AS INT UNSIGNED) AS context_id,
      CAST(NULL AS VARCHAR) AS context,
      start,
      "end",
      CAST(NULL AS BIGINT) AS event
    FROM running
    UNION ALL
    SELECT r.file, r.recording_id, c.core, r.start AS time, 2 AS rank, NULL AS slice_number, r.context_id, r.context, r.start, r."end", r.event
    FROM ready AS r
    JOIN (SELECT DISTINCT file, recording_id, core FROM slices) AS c ON c.recording_id = r.recording_id
    UNION ALL
    SELECT r.file, r.recording_id, c.core, r."end" AS time, 0 AS rank, NULL AS slice_number, r.context_id, r.context, r.start, r."end", r.event
    FROM ready AS r
    JOIN (SELECT DISTINCT file, recording_id, core FROM slices) AS c ON c.recording_id = r.recording_id
  ),
  numbered AS (
    SELECT
      *,
      max(slice_number) OVER (PARTITION BY recording_id, core ORDER BY time, rank ROWS UNBOUNDED PRECEDING) AS last_slice
    FROM marks
  ),
  -- The first and the last slice that overlap each ready interval.
  spans AS (
    SELECT
      file,
      recording_id,
      core,
      context_id,
      context,
      start,
      "end",
      event,
      min(last_slice) AS first_slice,
      max(last_slice) AS last_slice
    FROM numbered
    WHERE slice_number IS NULL
    GROUP BY file, recording_id, core, context_id, context, start, "end", event
  ),
  pairs AS (
    SELECT s.*, unnest(generate_series(s.first_slice, s.last_slice)) AS slice_number
    FROM spans AS s
  )
SELECT
  s.file,
  s.recording_id,
  s.context_id,
  s.context,
  s.start AS ready_start,
  s.event AS ready_event,
  e.core,
  e.kind,
  e.context_id AS runner_id,
  e.context AS runner,
  e.isr,
  greatest(s.start, e.start) AS start,
  least(s."end", e."end") - greatest(s.start, e.start) AS duration
FROM pairs AS s
JOIN running AS e ON e.recording_id = s.recording_id AND e.core = s.core AND e.slice_number = s.slice_number
