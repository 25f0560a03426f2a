-- how often which context logged which kind of event
--
-- Columns
--   file: the recording
--   context_id: the context's number
--   context: its name
--   kind: the kind of event
--   number: the format's number for it
--   component: what it belongs to
--   count: how often
SELECT file, context_id, context, kind, number, component, count(*) AS count
FROM events
GROUP BY file, context_id, context, kind, number, component
