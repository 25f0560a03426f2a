-- how often interrupt service routines were activated, and how long they took
--
-- Columns
--   file: the recording
--   isr: the routine
--   number: its number
--   activations: how often it began
--   own: how long it executed itself, without routines that interrupted it, in ticks
--   own_ns: the same in nanoseconds
--   percent: the same of the recording's length
--   longest: its longest activation recorded from entry to exit, with routines that interrupted
--     it, in ticks
--   longest_ns: the same in nanoseconds
SELECT
  i.file,
  i.isr,
  i.number,
  count(*) AS activations,
  sum(i.own) AS own,
  sum(i.own_ns) AS own_ns,
  100.0 * sum(i.own) / nullif(max(t.span), 0) AS percent,
  max(CASE WHEN i.entered AND i.exited THEN i.duration END) AS longest,
  max(CASE WHEN i.entered AND i.exited THEN i.duration_ns END) AS longest_ns
FROM isrs AS i
JOIN trace AS t ON t.file = i.file
GROUP BY i.file, i.isr, i.number
