// The rules of one record type, for the code that creates, updates, shows and deletes records (MGT-C8).
import type { Path, Problem } from "../../kit/reading/problems.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Management } from "./management.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { FoundBy, Stored } from "./records/records.ts";

export interface RecordType {
  readonly name: RecordTypeName;
  readonly unknownMessage: string; // for an id without a record
  readonly conflictMessage: string; // for a unique value that is taken
  /** The path of the id in a document, and its value there; undefined if unset. */
  readonly idAt: Path;
  readonly idIn: (document: JsonObject) => JsonValue | undefined;
  /** Merges a body into the document if not field by field; `before` null: a new record. */
  readonly merge?: (before: JsonObject | null, body: JsonObject) => JsonObject;
  /** Prepares a document for storage and validates it. Secrets are sealed already. */
  readonly prepare: (
    management: Management,
    id: string,
    document: JsonObject,
    before: Stored | null,
  ) => PreparedRecord;
}

export interface PreparedRecord {
  readonly document: JsonObject;
  readonly foundBy: FoundBy;
  readonly problems: readonly Problem[];
}
