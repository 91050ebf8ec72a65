// Names that refer to a record: its id, or else its name in the map of its type.
import type { GatewayOptions } from "../core/config.ts";
import { listNames, nearestName } from "./place.ts";

export interface References {
  /** The id of the record with this name or id; null if there is none. */
  find(name: string): string | null;
  /** Unknown names are accepted: the reference applies as soon as its record is created. */
  readonly keepsDangling?: boolean;
  suggest(name: string): Suggestion;
}

/** Two parts of the message about an unknown name: the end of its sentence, and the fix. */
interface Suggestion {
  readonly question: string; // `; did you mean "x"?`, or nothing
  readonly fix: string;
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
      const names = [...idsByName.keys()];
      const fix = names.length === 0 ? "there is none" : `known: ${listNames(names)}`;
      return suggestionFor(name, [...names, ...ids], fix);
    },
  };
}

/** The share of letters that may differ, as in "payed" for "paid". A wrong suggestion does little harm. */
const SHARE_OF_LETTERS = 0.4;

export function suggestionFor(
  name: string,
  known: Iterable<string>,
  otherwise: string,
): Suggestion {
  const similar = nearestName(name, known, SHARE_OF_LETTERS);
  return similar === null
    ? { question: "", fix: otherwise }
    : { question: `; did you mean "${similar}"?`, fix: `write "${similar}"` };
}

export const NO_SUGGESTION: Suggestion = { question: "", fix: "" };
