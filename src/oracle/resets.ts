// Budgets that somebody has given back by hand (MGT-C11), as the calls say it that were granted.
import { ofCredential, ofPattern } from "./identity.ts";
import type { Loss } from "./ledger.ts";
import { isCountedHere, type Level } from "./levels.ts";
import { merge } from "./merge.ts";
import type { OracleWorld } from "./world.ts";
import type { Reset } from "./reset-calls.ts";

/** What of them one ledger has lost. */
export const lossesOf = (level: Level, gateway: number, world: OracleWorld): Loss[] =>
  world.resets.flatMap((reset): Loss[] => {
    const isMeant = means(reset, level, world);
    if (isMeant === "no") return [];
    // What each gateway counts by itself no other can give back.
    const isHere = !isCountedHere(level) || reset.gateway === gateway;
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
