/** Formatting of object parameters. */

import { countText } from "../../state/format";

/** Parameters named "start" are addresses, see crates/trace. */
const IS_ADDRESS = /start$/;

/** Formats the value of a parameter. */
export function parameterText(name: string, value: number): string {
  return IS_ADDRESS.test(name) ? `0x${value.toString(16)}` : countText(value);
}
