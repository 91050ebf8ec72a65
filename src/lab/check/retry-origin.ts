// Finds the request of an attempt. In a history, each attempt has the planned time of its request, so that only
// requests that one client plans for the same instant cannot be distinguished.
import { micros, SECOND, type Micros } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import type { Behaviour } from "../scenario/types.ts";
import { answerTo } from "./rejections.ts";

/** Why a request was sent again. */
export interface RetryOrigin {
  readonly attempt: number; // 2: the second attempt
  /** The row of the first attempt; null: several requests may be the one that was retried. */
  readonly first: number | null;
  /** The rows of the previous attempt: several if the client planned several requests for the same instant. */
  readonly previous: readonly number[];
  /** Time since the response to the previous attempt; null: `previous` is empty, or its rows have different times. */
  readonly waitedUs: Micros | null;
  /** The Retry-After of that response; null: none, or `previous` has rows with different values. */
  readonly retryAfterS: number | null;
  readonly behaviour: Behaviour["kind"] | null; // null: the variant has no such flow
}

type Traffic = readonly { readonly name: string; readonly behaviour: Behaviour }[];

/** Null if the row is a first attempt. */
export function originOf(history: History, row: number, traffic: Traffic): RetryOrigin | null {
  const { requests, header } = history;
  const { attempt, answeredUs, sentUs, retryAfterS } = requests;
  if (attempt[row] === 0) return null;
  const { name } = header.flows[requests.flow[row]!]!;
  const behaviour = traffic.find((flow) => flow.name === name)?.behaviour.kind ?? null;
  const siblings = listAttempts(history, row);
  const firsts = siblings.filter((each) => attempt[each] === 0);
  const earlier = siblings.filter(
    (each) =>
      attempt[each] === attempt[row]! - 1 &&
      answerTo(requests, each) !== "admitted" &&
      answeredUs[each]! <= sentUs[row]!,
  );
  const waitOf = (each: number): number => sentUs[row]! - answeredUs[each]!;
  const advised = earlier.filter((each) => waitOf(each) === retryAfterS[each]! * SECOND);
  const previous = behaviour === "honour_retry_after" && advised.length > 0 ? advised : earlier;
  const waits = new Set(previous.map(waitOf));
  const advice = new Set(previous.map((each) => retryAfterS[each]!));
  const [waitUs] = waits;
  const [retryAfter] = advice;
  return {
    attempt: attempt[row]! + 1,
    first: firsts.length === 1 ? firsts[0]! : null,
    previous,
    waitedUs: waits.size === 1 ? micros(Math.round(waitUs!)) : null,
    retryAfterS: advice.size === 1 && !Number.isNaN(retryAfter) ? retryAfter! : null,
    behaviour,
  };
}

/** All attempts of the row's request, and of other requests with the same flow, client and planned time. */
export function listAttempts({ header, requests }: History, row: number): readonly number[] {
  const { flow, client, plannedUs } = requests;
  const { name } = header.flows[flow[row]!]!;
  const isFlow = header.flows.map((each) => each.name === name);
  const rows: number[] = [];
  for (let other = 0; other < requests.length; other++)
    if (
      plannedUs[other] === plannedUs[row] &&
      client[other] === client[row] &&
      isFlow[flow[other]!]!
    )
      rows.push(other);
  return rows;
}
