// Names under which a record can be meant: its id, or else its name in the map of its family.
import type { GatewayOptions } from "../core/config.ts";
import { nearestName } from "./place.ts";

export interface References {
  /** The id that is meant, null where nothing is known under the name. */
  find(name: string): string | null;
  /** What is not known is meant all the same, and is granted when it is there. */
  readonly keepsDangling?: boolean;
  /** `; did you mean "x"?`, or nothing. */
  suggest(name: string): string;
}

/** What a policy or a key may refer to, and the options that choose the algorithm of its limits. */
export interface Known {
  readonly apis: References;
  readonly options: GatewayOptions;
}

export function referencesTo(idsByName: ReadonlyMap<string, string>): References {
  const ids = new Set(idsByName.values());
  return {
    find: (name) => (ids.has(name) ? name : (idsByName.get(name) ?? null)),
    suggest(name) {
      const meant = nearestName(name, [...idsByName.keys(), ...ids]);
      return meant === null ? "" : `; did you mean "${meant}"?`;
    },
  };
}
