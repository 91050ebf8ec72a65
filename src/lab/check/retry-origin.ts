// Which request an attempt belongs to. A history has the planned time of the request in each of its attempts, so that only
// requests that one client had at one instant cannot be distinguished.
import { micros, SECOND, type Micros } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import type { Behaviour } from "../scenario/types.ts";
import { answerTo } from "./rejections.ts";

/** Why a request was sent again. */
export interface RetryOrigin {
  readonly attempt: number; // 2: the second one
  /** The row of the first attempt; null: it is one of several. */
  readonly first: number | null;
  /** The rows of the attempt before: several if the client had more requests at that instant. */
  readonly previous: readonly number[];
  /** From the response to the attempt before; null: it is one of several. */
  readonly waitedUs: Micros | null;
  /** What that response advised; null: nothing, or it is one of several. */
  readonly retryAfterS: number | null;
  readonly behaviour: Behaviour["kind"] | null; // null: the variant has no such flow
}

type Traffic = readonly { readonly name: string; readonly behaviour: Behaviour }[];

/** Null: it is a first attempt. */
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

/** All attempts at the request of a row, and at others that its client had in its flow at the same instant. */
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
