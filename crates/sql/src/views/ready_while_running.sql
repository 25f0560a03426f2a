-- who executed while a thread was ready and had no core
--
-- A row for each thread that was ready and each slice of a core that overlaps with that, on
-- every core.
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   context_id: the number of the thread that was ready
--   context: its name
--   ready_start: since when it was ready, in ticks
--   ready_event: the event that made it so
--   core: a core
--   what: what executed there: `thread`, `isr`, `kernel`, `idle`, `unknown` …
--   runner_id: the number of the context that executed
--   runner: its name
--   isr: the routine that executed
--   start: since when both was so, in ticks
--   duration: how long, in ticks
WITH
  executed AS (
    SELECT
      file,
      recording_id,
      core,
      start,
      "end",
      what,
      context_id,
      context,
      isr,
      CAST(row_number() OVER (PARTITION BY recording_id, core ORDER BY start) AS BIGINT) AS place
    FROM slices
    WHERE duration > 0
  ),
  ready AS (
    SELECT file, recording_id, context_id, context, start, "end", event
    FROM thread_states
    WHERE state = 'ready' AND duration > 0
  ),
  -- Beginnings of slices and both ends of being ready, merged by time.
  marks AS (
    SELECT
      file,
      recording_id,
      core,
      start AS at,
      1 AS rank,
      place,
      CAST(NULL AS INT UNSIGNED) AS context_id,
      CAST(NULL AS VARCHAR) AS context,
      start,
      "end",
      CAST(NULL AS BIGINT) AS event
    FROM executed
    UNION ALL
    SELECT r.file, r.recording_id, c.core, r.start AS at, 2 AS rank, NULL AS place, r.context_id, r.context, r.start, r."end", r.event
    FROM ready AS r
    JOIN (SELECT DISTINCT file, recording_id, core FROM slices) AS c ON c.recording_id = r.recording_id
    UNION ALL
    SELECT r.file, r.recording_id, c.core, r."end" AS at, 0 AS rank, NULL AS place, r.context_id, r.context, r.start, r."end", r.event
    FROM ready AS r
    JOIN (SELECT DISTINCT file, recording_id, core FROM slices) AS c ON c.recording_id = r.recording_id
  ),
  placed AS (
    SELECT
      *,
      max(place) OVER (PARTITION BY recording_id, core ORDER BY at, rank ROWS UNBOUNDED PRECEDING) AS last_place
    FROM marks
  ),
  -- The first and the last slice that overlap.
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
      unnest(generate_series(min(last_place), max(last_place))) AS place
    FROM placed
    WHERE place IS NULL
    GROUP BY file, recording_id, core, context_id, context, start, "end", event
  )
SELECT
  s.file,
  s.recording_id,
  s.context_id,
  s.context,
  s.start AS ready_start,
  s.event AS ready_event,
  e.core,
  e.what,
  e.context_id AS runner_id,
  e.context AS runner,
  e.isr,
  greatest(s.start, e.start) AS start,
  least(s."end", e."end") - greatest(s.start, e.start) AS duration
FROM spans AS s
JOIN executed AS e ON e.recording_id = s.recording_id AND e.core = s.core AND e.place = s.place
