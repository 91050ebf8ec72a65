// Ways of counting that Weir does not offer, and that others do: there to be compared with. A model takes the
// place of the memories that a simulated gateway counts in. It speaks to worlds whose algorithm is `drl`, which
// is counted in the gateway, so that no request asks the store for it.
import type { StoreAtHand } from "../../core/store.ts";
import type { Engine, Node } from "../engine.ts";

/** Made anew for each run: what gateways share lies in it. */
export interface Model {
  /** Where a gateway counts, from when its process starts. */
  readonly gateway: (engine: Engine, node: Node) => StoreAtHand;
  /** Counters that store and gateways hold at this moment. */
  readonly held: () => number;
}
