/** Composes filter expressions from the fields of a form. */

/** Contents of the form; empty fields are ignored. */
export interface ValueFields {
  /** Whether all fields must match, or any. */
  all: boolean;
  context: string;
  kind: string;
  object: string;
  /** Arguments by position: a number, or a range `from-to` or `from..to`. */
  info: readonly [string, string, string, string];
}

/** An empty form. */
export const EMPTY: ValueFields = {
  all: true,
  context: "",
  kind: "",
  object: "",
  info: ["", "", "", ""],
};

const ESCAPES: Record<string, string> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** A complete escape, or a character that needs one. */
const ESCAPED = /\\(?:x[0-9a-f]{2}|[\\"'trn])|[\\"\n\r\t]/gi;

/** Quotes a name for the filter language. Existing escapes are kept. */
export function quoteName(name: string): string {
  const escaped = name.replaceAll(ESCAPED, (one) => ESCAPES[one] ?? one);
  return `"${escaped}"`;
}

const NUMBER = "(?:0x[0-9a-fA-F_]+|[0-9][0-9_]*)";
const RANGE = new RegExp(`^(${NUMBER})\\s*(?:-|\\.\\.=?|–)\\s*(${NUMBER})$`);
const EXACT = new RegExp(`^${NUMBER}$`);
const COMPARED = new RegExp(`^(<=|>=|<|>|!=|&)\\s*(${NUMBER})$`);

function argumentTest(position: number, text: string): string {
  const field = `info${position}`;
  const written = text.trim();
  if (EXACT.test(written)) return `${field} == ${written}`;
  const range = RANGE.exec(written);
  if (range) return `${field} in ${range[1]}..=${range[2]}`;
  const compared = COMPARED.exec(written);
  if (compared) return `${field} ${compared[1]} ${compared[2]}`;
  // The filter parser reports the error.
  return `${field} == ${written}`;
}

/** A name, or a pattern with `*` and `?`. */
function nameTest(field: string, text: string): string {
  return `${field} ${/[*?]/.test(text) ? "~" : "=="} ${quoteName(text)}`;
}

/** Contexts without names of their own. */
const FIXED = new Set(["interrupt", "initialize", "idle"]);

/** Filter expression of a form; empty for an empty form. */
export function compose(form: ValueFields): string {
  const tests: string[] = [];
  const { context, kind, object } = form;
  if (context.trim()) {
    tests.push(FIXED.has(context) ? `context == ${context}` : nameTest("context", context.trim()));
  }
  if (kind.trim()) {
    tests.push(
      EXACT.test(kind.trim()) ? `number == ${kind.trim()}` : nameTest("kind", kind.trim()),
    );
  }
  form.info.forEach((text, at) => {
    if (text.trim()) tests.push(argumentTest(at + 1, text));
  });
  if (object.trim()) tests.push(nameTest("object", object.trim()));
  return tests.join(form.all ? " and " : " or ");
}
