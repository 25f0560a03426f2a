-- Who executed while a thread was ready and had no core?
--
-- Columns
--   file: the recording
--   context: the thread that was ready
--   what: what executed: `thread`, `isr`, `kernel` …
--   runner: who executed
--   times: how many slices of it overlap with the times in which the thread was ready
--   duration: how long together, on all cores, in ticks
--   longest: the longest of them, in ticks
--
-- Parameters
--   thread=%: the thread that was ready, as a pattern of SQL's `LIKE`
SELECT
  file,
  context,
  what,
  coalesce(isr, runner) AS runner,
  count(*) AS times,
  sum(duration) AS duration,
  max(duration) AS longest
FROM ready_while_running
WHERE context LIKE $thread
GROUP BY file, context, what, coalesce(isr, runner)
ORDER BY file, context, duration DESC, what, runner
