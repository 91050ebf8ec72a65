// The calls that reset budgets (MGT-C11), as the history records them.
import { hasSucceeded, type HistoryCall } from "../scenario/history.ts";
import type { ManagementCall } from "../scenario/types.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { at, textIn } from "./text.ts";

export interface Reset {
  readonly key: string; // its id
  readonly budget: string | null; // its name; null: all that are the key's
  readonly gateway: number; // that received the call
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
