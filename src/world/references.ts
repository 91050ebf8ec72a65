// Names that refer to a record: its id, or else its name in the map of its type.
import type { GatewayOptions } from "../core/config.ts";
import { nearestName } from "./place.ts";

export interface References {
  /** The id under this name; null if there is none. */
  find(name: string): string | null;
  /** An unknown name is accepted, and applies when the record is created. */
  readonly keepsDangling?: boolean;
  /** `; did you mean "x"?`, or nothing. */
  suggest(name: string): string;
}

/** What a policy or a key may refer to, and the options that choose the algorithm of its limits. */
export interface ReadContext {
  readonly apis: References;
  readonly options: GatewayOptions;
}

export function referencesTo(idsByName: ReadonlyMap<string, string>): References {
  const ids = new Set(idsByName.values());
  return {
    find: (name) => (ids.has(name) ? name : (idsByName.get(name) ?? null)),
    suggest(name) {
      const similar = nearestName(name, [...idsByName.keys(), ...ids]);
      return similar === null ? "" : `; did you mean "${similar}"?`;
    },
  };
}
