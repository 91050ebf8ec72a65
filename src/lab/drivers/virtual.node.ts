// Runs any variant in virtual time. The code for calls is loaded only if the variant has calls; most have none.
import type { History } from "../scenario/history.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import type { Witness } from "../sim/store-state.ts";
import type { Driver } from "./driver.ts";
import { OFFERS } from "./offers.ts";
import { playVirtual } from "./virtual.ts";
import { playWithCalls } from "./virtual-calls.ts";

export async function playVariant(
  variant: Variant,
  plan: Plan,
  witness: Witness | null = null,
): Promise<History> {
  if (variant.calls.length === 0) return playVirtual(variant, plan, witness);
  const { manage } = await import("./managed.node.ts");
  return playWithCalls(variant, plan, manage, witness);
}

export const virtual = (): Driver => ({
  offer: OFFERS.virtual,
  apply: (variant) =>
    Promise.resolve({
      play: (plan) => playVariant(variant, plan),
      close: () => Promise.resolve(),
    }),
  close: () => Promise.resolve(),
});
