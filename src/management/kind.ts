// What one family of records has of its own, for whoever makes, changes, shows or deletes one (MGT-C8).
import type { Path, Problem } from "../reading/problems.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Management } from "./management.ts";
import type { Family } from "./records/family.ts";
import type { FoundBy, Stored } from "./records/records.ts";

export interface Kind {
  readonly family: Family;
  readonly unknown: string; // what is said of an id that nobody has
  readonly taken: string; // what is said where something else has to be unique, and is not
  /** Where a document says its own id, and what it says there; undefined: nothing. */
  readonly idAt: Path;
  readonly idIn: (document: JsonObject) => JsonValue | undefined;
  /** What a body makes of the document before it, where that is not member by member; null: there is none. */
  readonly merged?: (before: JsonObject | null, body: JsonObject) => JsonObject;
  /** As it is kept, and everything that is wrong with it. Secrets are sealed already. */
  readonly kept: (
    management: Management,
    id: string,
    document: JsonObject,
    before: Stored | null,
  ) => Kept;
}

export interface Kept {
  readonly document: JsonObject;
  readonly foundBy: FoundBy;
  readonly problems: readonly Problem[];
}
