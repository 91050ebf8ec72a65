// The simulator for a page: virtual time, and management APIs in the memory of its worker. The code for calls is loaded
// with the first call.
import { playVirtual } from "../../lab/drivers/virtual.ts";
import type { History } from "../../lab/scenario/history.ts";
import type { Plan, Variant } from "../../lab/scenario/types.ts";

export async function playHere(variant: Variant, plan: Plan): Promise<History> {
  if (variant.calls.length === 0) return playVirtual(variant, plan);
  const [{ playWithCalls }, { manageInMemory }] = await Promise.all([
    import("../../lab/drivers/virtual-calls.ts"),
    import("../../lab/drivers/managed-in-memory.ts"),
  ]);
  return playWithCalls(variant, plan, manageInMemory(console.error));
}

/** Documentation pages, which only a server has. */
const DOCUMENTATION = /^\/(?:docs|openapi\.json)(?:[/?#]|$)/;

/** Why a page cannot run a variant; null if it can. */
export function whyNotHere({ calls }: Variant): string | null {
  return calls.some(({ path }) => DOCUMENTATION.test(path))
    ? "this variant calls the documentation pages of a management API, and a page has no server for them; use weir run"
    : null;
}
