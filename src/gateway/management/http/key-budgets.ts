// The budgets of keys, from the counters of this gateway (MGT-C11).
import type { Gateway } from "../../gateway.ts";
import { readBudgets, resetBudgets } from "../../key-budgets.ts";
import type { Budgets } from "../budgets.ts";
import type { RemoteStore } from "../../../limiter/store/remote.ts";
import { runSteps } from "../../http/run-steps.ts";
import type { LiveConfiguration } from "../live-configuration.ts";

export const keyBudgets = (
  gateway: Gateway,
  store: RemoteStore | null,
  keys: Pick<LiveConfiguration, "credentialOf">,
): Budgets => ({
  read: async (id) => {
    const credential = await keys.credentialOf(id);
    if (credential === null) return { budgets: [], byClient: [] };
    const read = await runSteps(gateway, store, readBudgets(gateway, credential));
    return "failed" in read ? null : read;
  },
  reset: async (id, name) => {
    const credential = await keys.credentialOf(id);
    if (credential === null) return [];
    const reset = await runSteps(gateway, store, resetBudgets(gateway, credential, name));
    return "failed" in reset ? null : reset;
  },
});
