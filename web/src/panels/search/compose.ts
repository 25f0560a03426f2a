/** Filter expressions from the fields of a form. */

/** What the form says; empty fields do not count. */
export interface Form {
  /** Whether every field must fit, or any. */
  all: boolean;
  context: string;
  kind: string;
  object: string;
  /** Of the arguments by position: a number, or a range `from-to` or `from..to`. */
  info: readonly [string, string, string, string];
}

/** A form in which nothing is said. */
export const EMPTY: Form = { all: true, context: "", kind: "", object: "", info: ["", "", "", ""] };

const ESCAPES: Record<string, string> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** An escape as a whole, or a letter that needs one. */
const ESCAPED = /\\(?:x[0-9a-f]{2}|[\\"'trn])|[\\"\n\r\t]/gi;

/** A name as the language of filters quotes it. What is shown escaped already stays so. */
export function quoted(name: string): string {
  const escaped = name.replaceAll(ESCAPED, (one) => ESCAPES[one] ?? one);
  return `"${escaped}"`;
}

const NUMBER = "(?:0x[0-9a-fA-F_]+|[0-9][0-9_]*)";
const RANGE = new RegExp(`^(${NUMBER})\\s*(?:-|\\.\\.=?|–)\\s*(${NUMBER})$`);
const EXACT = new RegExp(`^${NUMBER}$`);
const COMPARED = new RegExp(`^(<=|>=|<|>|!=|&)\\s*(${NUMBER})$`);

function info(position: number, text: string): string {
  const field = `info${position}`;
  const written = text.trim();
  if (EXACT.test(written)) return `${field} == ${written}`;
  const range = RANGE.exec(written);
  if (range) return `${field} in ${range[1]}..=${range[2]}`;
  const compared = COMPARED.exec(written);
  if (compared) return `${field} ${compared[1]} ${compared[2]}`;
  // Left to the language, which says what it expects there.
  return `${field} == ${written}`;
}

/** A name, or part of one with `*` and `?`. */
function named(field: string, text: string): string {
  return `${field} ${/[*?]/.test(text) ? "~" : "=="} ${quoted(text)}`;
}

/** Contexts that have no name of their own. */
const FIXED = new Set(["interrupt", "initialize", "idle"]);

/** The expression that a form means; empty if it says nothing. */
export function compose(form: Form): string {
  const tests: string[] = [];
  const { context, kind, object } = form;
  if (context.trim()) {
    tests.push(FIXED.has(context) ? `context == ${context}` : named("context", context.trim()));
  }
  if (kind.trim()) {
    tests.push(EXACT.test(kind.trim()) ? `id == ${kind.trim()}` : named("kind", kind.trim()));
  }
  form.info.forEach((text, at) => {
    if (text.trim()) tests.push(info(at + 1, text));
  });
  if (object.trim()) tests.push(named("object", object.trim()));
  return tests.join(form.all ? " and " : " or ");
}
