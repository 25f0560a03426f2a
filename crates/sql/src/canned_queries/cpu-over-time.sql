-- Who had the processor when?
--
-- Each recording is cut into parts of the same length.
--
-- Columns
--   file: the recording
--   part: the part's number, from 0
--   start: when it begins, in ticks
--   what: `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown`
--   context_id: the number of the thread, or of what else executed
--   context: its name
--   duration: how long it executed in that part, on all cores, in ticks
--   percent: the same of the time of all cores in that part
--
-- Parameters
--   n=10: how many parts
WITH
  recordings AS (
    -- Without a remainder: the last part can be shorter.
    SELECT file, recording_id, start, span / $n + 1 AS width
    FROM trace
  ),
  executed AS (
    SELECT
      s.file,
      s.recording_id,
      s.what,
      s.context_id,
      s.context,
      s.start - r.start AS start,
      s."end" - r.start AS stop,
      r.start AS base,
      r.width
    FROM slices AS s
    JOIN recordings AS r ON r.recording_id = s.recording_id
    WHERE s.duration > 0
  ),
  pieces AS (
    SELECT *, unnest(generate_series(start / width, (stop - 1) / width)) AS part
    FROM executed
  ),
  sums AS (
    SELECT
      file,
      recording_id,
      part,
      base + part * width AS start,
      what,
      context_id,
      context,
      sum(least(stop, (part + 1) * width) - greatest(start, part * width)) AS duration
    FROM pieces
    GROUP BY file, recording_id, part, base, width, what, context_id, context
  )
SELECT
  file,
  part,
  start,
  what,
  context_id,
  context,
  duration,
  round(100.0 * duration / sum(duration) OVER (PARTITION BY recording_id, part), 3) AS percent
FROM sums
ORDER BY file, part, duration DESC, what, context_id
