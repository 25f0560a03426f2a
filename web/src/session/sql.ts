// Written by `cargo xtask check` from crates/command: change it there.

/**
 * A request of the page.
 */
export type SqlRequest = { "request": "catalogue" } | { "request": "query", 
/**
 * The SQL.
 */
sql: string, 
/**
 * The canned query whose parameters it has.
 */
named: string | null, 
/**
 * Values of parameters; the others have their defaults.
 */
set: { [key in string]: string }, } | { "request": "check", 
/**
 * The SQL.
 */
sql: string, 
/**
 * Whether it may prove something in spite of missing events.
 */
accepts_gaps: boolean, };

/**
 * An answer: an object with one field.
 */
export type SqlAnswer = { "catalogue": SqlCatalogue } | { "result": SqlResult } | { "error": SqlError };

/**
 * What queries can use.
 */
export type SqlCatalogue = { 
/**
 * Tables, then views.
 */
tables: Array<SqlTable>, 
/**
 * Functions beyond those of the SQL dialect.
 */
functions: Array<SqlName>, 
/**
 * Canned queries.
 */
queries: Array<SqlCannedQuery>, 
/**
 * Keywords.
 */
keywords: Array<string>, };

/**
 * A table or view.
 */
export type SqlTable = { 
/**
 * Its name.
 */
name: string, 
/**
 * Whether it is a view.
 */
is_view: boolean, 
/**
 * A description.
 */
about: string, 
/**
 * The columns.
 */
columns: Array<SqlName>, };

/**
 * A column, a function or a parameter.
 */
export type SqlName = { 
/**
 * The name; a function with its arguments, a parameter with its default as
 * `name=value`.
 */
name: string, 
/**
 * A description.
 */
about: string, };

/**
 * A canned query.
 */
export type SqlCannedQuery = { 
/**
 * Its name.
 */
name: string, 
/**
 * A question that it answers.
 */
title: string, 
/**
 * A description, in paragraphs.
 */
about: Array<string>, 
/**
 * The statement; a parameter is `$name`.
 */
sql: string, 
/**
 * The parameters.
 */
parameters: Array<SqlName>, };

/**
 * The result of a query.
 */
export type SqlResult = { 
/**
 * The columns.
 */
columns: Array<SqlColumn>, 
/**
 * The first rows. An integer beyond 2^53 and a number that is not finite are texts.
 */
rows: (string | number | boolean | null)[][], 
/**
 * The number of all rows.
 */
count: number, 
/**
 * Run time.
 */
milliseconds: number, 
/**
 * A reason why the result may mislead.
 */
warning: string | null, };

/**
 * A column of a result.
 */
export type SqlColumn = { 
/**
 * The name; distinct.
 */
name: string, 
/**
 * Whether its values are numbers.
 */
is_number: boolean, };

/**
 * Why a query failed.
 */
export type SqlError = { 
/**
 * The message.
 */
message: string, 
/**
 * Where, if it is known.
 */
position: SqlPosition | null, };

/**
 * A position in a statement.
 */
export type SqlPosition = { 
/**
 * The line, from 1.
 */
line: number, 
/**
 * The first character in the line, from 0, in Unicode code points.
 */
start: number, 
/**
 * The character after the last one.
 */
end: number, };
