// Budgets that an operator has reset (MGT-C11), from the requests of the admitted calls.
import { ofCredential, ofPattern } from "./identity.ts";
import type { Loss } from "./ledger.ts";
import { isCountedHere, type OracleLevel } from "./levels.ts";
import { merge } from "./merge.ts";
import type { OracleWorld } from "./world.ts";
import type { Reset } from "./reset-calls.ts";

/** The losses of one ledger. */
export const lossesOf = (level: OracleLevel, gateway: number, world: OracleWorld): Loss[] =>
  world.resets.flatMap((reset): Loss[] => {
    const match = matchReset(reset, level, world);
    if (match === "no") return [];
    // A gateway cannot reset the counts that another one keeps for itself.
    const isHere = !isCountedHere(level) || reset.gateway === gateway;
    const { fromUs, toUs } = reset;
    return [{ fromUs, toUs, certain: match === "yes" && isHere }];
  });

function matchReset(reset: Reset, level: OracleLevel, world: OracleWorld): "yes" | "maybe" | "no" {
  if (reset.budget === null) return level.holder === holderOf(reset, world) ? "yes" : "no";
  if (level.name !== null) return level.name === reset.budget ? "yes" : "no";
  return level.holder !== "" && reset.budget.startsWith(`${level.scope}/`) ? "maybe" : "no";
}

/** The key itself, or the values of its pattern (LIM-C8); never an address or a header, which others have too (LIM-C17). */
function holderOf({ key: id, toUs }: Reset, { epochs }: OracleWorld): string {
  const { configuration } = epochs.findLast(({ atUs }) => atUs <= toUs)!;
  const key = [...configuration.keys.values()].find((each) => each.id === id);
  const pattern = key === undefined ? null : ofPattern(merge(key, configuration).metaData);
  return (pattern ?? ofCredential(id)).text;
}
