-- how long each thread, routine and the rest executed in each second
--
-- Seconds count from the first event of a recording. There are no rows of recordings whose
-- clock tells no time, or which last longer than a million seconds.
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   second: the second, from 0
--   what: `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown`
--   context_id: the context's number
--   context: its name
--   isr: the routine
--   duration_ns: how long it executed in that second, on all cores, in nanoseconds
SELECT
  file,
  recording_id,
  second,
  what,
  context_id,
  context,
  isr,
  sum(least(end_ns, (second + 1) * 1000000000) - greatest(start_ns, second * 1000000000)) AS duration_ns
FROM (
  SELECT
    s.file,
    s.recording_id,
    s.what,
    s.context_id,
    s.context,
    s.isr,
    s.start_ns,
    s.end_ns,
    unnest(generate_series(s.start_ns / 1000000000, (s.end_ns - 1) / 1000000000)) AS second
  FROM slices AS s
  JOIN trace AS t ON t.recording_id = s.recording_id
  WHERE s.end_ns > s.start_ns AND t.span_ns <= 1000000000000000
)
GROUP BY file, recording_id, second, what, context_id, context, isr
