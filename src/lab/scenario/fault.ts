// What a scenario injects during a run, and when.
import type { Configuration } from "../../limiter/core/config.ts";
import type { Distribution } from "../../kit/chance/distribution.ts";
import type { Micros } from "../../kit/units.ts";
import type { World } from "./world.ts";

export type Fault =
  | {
      readonly kind: "store_slow";
      readonly fromUs: Micros;
      readonly toUs: Micros;
      readonly latencyUs: Distribution;
    }
  | { readonly kind: "store_down"; readonly fromUs: Micros; readonly toUs: Micros }
  | { readonly kind: "store_restart"; readonly atUs: Micros } // the store is empty afterwards
  | {
      readonly kind: "gateway_restart" | "gateway_crash" | "gateway_leave";
      readonly atUs: Micros;
      readonly node: number;
    }
  | { readonly kind: "gateway_join"; readonly atUs: Micros; readonly count: number }
  | {
      readonly kind: "clock_skew";
      readonly atUs: Micros;
      readonly node: number;
      readonly skewUs: Micros;
    }
  | {
      readonly kind: "configure";
      readonly atUs: Micros;
      readonly configuration: Configuration;
      readonly raw: World["raw"]; // source text of the configuration
    };

/** The number of gateways over the whole run: `nodes` at the start plus those that join. */
export const countGateways = (nodes: number, faults: readonly Fault[]): number =>
  faults.reduce((sum, fault) => sum + (fault.kind === "gateway_join" ? fault.count : 0), nodes);
