// Budgets that somebody has given back by hand (MGT-C11), as the calls say it that were granted.
import type { CallMade } from "../scenario/history.ts";
import type { Call, Json } from "../scenario/types.ts";
import { ofCredential, ofPattern } from "./identity.ts";
import type { Loss } from "./ledger.ts";
import type { Level } from "./levels.ts";
import { merge } from "./merge.ts";
import { at, textIn } from "./text.ts";
import type { OracleWorld } from "./world.ts";

export interface Reset {
  readonly key: string; // its id
  readonly budget: string | null; // its name; null: all that are the key's
  readonly gateway: number; // that took the call
  readonly fromUs: number;
  readonly toUs: number;
}

const PATH = /^\/admin\/org\/keys\/([^/]+)\/budgets\/reset$/;

export const resetsBy = (calls: readonly Call[], made: readonly CallMade[]): Reset[] =>
  made.flatMap((answer): Reset[] => {
    const call = calls.find(({ name }) => name === answer.call);
    const id = PATH.exec(answer.path)?.[1];
    if (call === undefined || id === undefined) return [];
    if (answer.on !== "admin" || answer.method !== "POST" || answer.status >= 300) return [];
    const said: Json = call.body === null ? null : (JSON.parse(call.body) as Json);
    return [
      {
        key: decodeURIComponent(id),
        budget: textIn(at(said, "budget")),
        gateway: answer.gateway,
        fromUs: answer.sentUs,
        toUs: answer.answeredUs,
      },
    ];
  });

/** What of them one ledger has lost. */
export const lossesOf = (level: Level, gateway: number, world: OracleWorld): Loss[] =>
  world.resets.flatMap((reset): Loss[] => {
    const isMeant = means(reset, level, world);
    if (isMeant === "no") return [];
    // What each gateway counts by itself no other can give back.
    const isHere = level.algorithm !== "drl" || reset.gateway === gateway;
    const { fromUs, toUs } = reset;
    return [{ fromUs, toUs, certain: isMeant === "yes" && isHere }];
  });

function means(reset: Reset, level: Level, world: OracleWorld): "yes" | "maybe" | "no" {
  if (reset.budget === null) return level.holder === holderOf(reset, world) ? "yes" : "no";
  if (level.name !== null) return level.name === reset.budget ? "yes" : "no";
  return level.holder !== "" && reset.budget.startsWith(`${level.scope}/`) ? "maybe" : "no";
}

/** The key by itself, or what its pattern comes to (LIM-C8); never an address or a header, which others show too (LIM-C17). */
function holderOf({ key: id, toUs }: Reset, { epochs }: OracleWorld): string {
  const { configuration } = epochs.findLast(({ atUs }) => atUs <= toUs)!;
  const key = [...configuration.keys.values()].find((each) => each.id === id);
  const pattern = key === undefined ? null : ofPattern(merge(key, configuration).metaData);
  return (pattern ?? ofCredential(id)).text;
}
