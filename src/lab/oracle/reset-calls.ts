// The calls that reset budgets (MGT-C11), as the history records them.
import { hasSucceeded, type HistoryCall } from "../scenario/history.ts";
import type { ManagementCall } from "../scenario/types.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { at, textIn } from "./text.ts";

export interface Reset {
  readonly key: string; // id of the key
  readonly budget: string | null; // name of the budget; null: all budgets of the key
  readonly gateway: number; // gateway that received the call
  readonly fromUs: number;
  readonly toUs: number;
}

const PATH = /^\/admin\/org\/keys\/([^/]+)\/budgets\/reset$/;

export const resetsBy = (
  calls: readonly ManagementCall[],
  responses: readonly HistoryCall[],
): Reset[] =>
  responses.flatMap((answer): Reset[] => {
    const call = calls.find(({ name }) => name === answer.call);
    const id = PATH.exec(answer.path)?.[1];
    if (call === undefined || id === undefined) return [];
    if (answer.on !== "admin" || answer.method !== "POST" || !hasSucceeded(answer)) return [];
    const body: Json = call.body === null ? null : (JSON.parse(call.body) as Json);
    return [
      {
        key: decodeURIComponent(id),
        budget: textIn(at(body, "budget")),
        gateway: answer.gateway,
        fromUs: answer.sentUs,
        toUs: answer.answeredUs,
      },
    ];
  });
