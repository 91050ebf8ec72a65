// The rules of one record type, for creating, updating, showing and deleting its records (MGT-C8).
import type { Path, Problem } from "../../kit/reading/problems.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Management } from "./management.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { FoundBy, Stored } from "./records/records.ts";

export interface RecordType {
  readonly name: RecordTypeName;
  readonly unknownMessage: string; // if no record has the id
  readonly conflictMessage: string; // if another record has the unique value
  /** The path of the id in a document, and the id itself; undefined if it is unset. */
  readonly idAt: Path;
  readonly idIn: (document: JsonObject) => JsonValue | undefined;
  /** How a body is merged into a document, if not field by field. `before` is null for a new record. */
  readonly merge?: (before: JsonObject | null, body: JsonObject) => JsonObject;
  /** Validates a document and prepares it for storage. Its secrets are already sealed. */
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
