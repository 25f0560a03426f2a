/** What is recorded about an object, for people. */

import { countText } from "../../state/format";

/** Of the parameters, only where something starts is an address: crates/trace/src/object.rs. */
const IS_ADDRESS = /start$/;

/** The value of a parameter. */
export function parameterText(name: string, value: number): string {
  return IS_ADDRESS.test(name) ? `0x${value.toString(16)}` : countText(value);
}
