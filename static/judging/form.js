/* What forms that begin a judging have in common: whose key is used, how warm, how long, how much. */
import { row } from "../connect/fields.js";

const MEMORY = "A key typed here stays in the server’s memory for this sitting and is never written down; Go on uses it too.";
const plain = (address) => address.trim().replace(/\/+$/, "");

/** What is said beneath the field of a key for an endpoint: `keyFor` are those to which the server brings a key of its own. */
export const keyNote = (address, keyFor) =>
  `${keyFor.map(plain).includes(plain(address)) ? "Empty: the server’s own key is used." : "Empty, if the endpoint needs none."} ${MEMORY}`;

/** Rows of limits that are rarely needed; `number` makes fields as `numbersOf` does. */
export function limitRows(number) {
  const decimal = (name, attributes) => number(name, { step: "any", inputmode: "decimal", ...attributes });
  return [
    row("Temperature", decimal("temperature", { min: 0, max: 2, step: 0.05, value: 0 }), "Left out where the endpoint does not take it."),
    row("Time-out", number("timeout", { min: 1, max: 3600, value: 120 }), "Seconds that an answer may take."),
    row("Most tokens", number("most_tokens", { min: 1, placeholder: "no limit" })),
    row("Most money", decimal("most_money", { min: 0, placeholder: "no limit" }), "Needs both prices."),
    row("Prompt price", decimal("price_prompt", { min: 0 }), "Of a million tokens."),
    row("Reply price", decimal("price_completion", { min: 0 }), "Of a million tokens."),
  ];
}
