// What a budget did after a refused request would have been admitted: whether other requests kept it shut.
import { thousands, plural } from "../../kit/reading/legible.ts";
import { REASONS, type History } from "../scenario/history.ts";

/** The refusals between the moment from which a request would have been admitted alone and the next admission. */
export interface ShutBudget {
  readonly refused: number;
  readonly retries: number; // how many of them are later attempts
}

/**
 * Counts the refusals of the budget that refused `row`, on its gateway, from `fromUs` on until a request is admitted
 * that may draw on it: one of the same key, API or flow. Null: none, so that the budget admitted again.
 */
export function countShut(history: History, row: number, fromUs: number): ShutBudget | null {
  const { budget, gateway, reason, attempt, stampUs, fromUs: earliestUs } = history.requests;
  const { flow, key, api, length } = history.requests;
  const drawsOn = (later: number): boolean =>
    flow[later] === flow[row] ||
    (key[row]! >= 0 && key[later] === key[row]) ||
    (api[row]! >= 0 && api[later] === api[row]);
  let [refused, retries] = [0, 0];
  for (let later = row + 1; later < length; later++) {
    const atUs = Number.isNaN(stampUs[later]!) ? earliestUs[later]! : stampUs[later]!;
    if (atUs < fromUs) continue;
    const isAdmitted = REASONS[reason[later]!] === "none";
    if (isAdmitted && drawsOn(later)) break;
    if (isAdmitted || budget[later] !== budget[row] || gateway[later] !== gateway[row]) continue;
    refused++;
    if (attempt[later]! > 0) retries++;
  }
  return refused === 0 ? null : { refused, retries };
}

/** `countsRefusals`: a refused request counts too, so that refused retries are why the budget stays full. */
export function shutText(shut: ShutBudget | null, countsRefusals: boolean): string {
  if (shut === null) return "";
  const { refused, retries } = shut;
  const next = `the next ${refused === 1 ? "request" : `${thousands(refused)} requests`} ${plural(refused, "was", "were")} refused`;
  return countsRefusals && 2 * retries > refused
    ? ` if no other request came first; here the retries keep it shut (${next})`
    : ` if no other request came first; here ${next} too`;
}
