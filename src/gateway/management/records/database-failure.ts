// Failures of a database: a message for the operator, and a kind, which determines the response and the exit code.
import { Failure } from "../../../kit/reading/failure.ts";
import { Rejection } from "../rejection.ts";

export type DatabaseFailureKind =
  | "unreachable" // no response in time
  | "busy" // the database responds, but cannot take this request now
  | "full"
  | "read-only"
  | "unfit"; // a permission, a file or a name that the operator has to correct

export interface DatabaseFailure {
  readonly kind: DatabaseFailureKind;
  readonly sentence: string; // completes a sentence that begins with the name of the database
}

/** An outage ends by itself; other failures need the operator. */
export const isOutage = ({ kind }: DatabaseFailure): boolean =>
  kind === "unreachable" || kind === "busy";

const FOR_CLIENTS: Readonly<Record<DatabaseFailureKind, string>> = {
  unreachable: "The records cannot be reached now",
  busy: "The records are busy now",
  full: "The records cannot be changed now: the disk is full",
  "read-only": "The records cannot be changed now: they are read-only",
  unfit: "The records cannot be read or changed now",
};

const SOON_S = "1";
const WHEN_MENDED_S = "30";

/** A rejection with status 503, because the request itself is valid. */
export class DatabaseRejection extends Rejection {
  readonly failure: DatabaseFailure;

  constructor(failure: DatabaseFailure) {
    const retryAfter = isOutage(failure) ? SOON_S : WHEN_MENDED_S;
    super(503, FOR_CLIENTS[failure.kind], [], { "Retry-After": retryAfter });
    this.failure = failure;
  }
}

/** Records cannot be opened while their database is unreachable. A later try may succeed. */
export class RecordsOutage extends Failure {}

/** Puts the place of the records before the message. A `RecordsOutage` remains a `RecordsOutage`. */
export const prefixFailure = (prefix: string, failure: Failure): Failure =>
  new (failure instanceof RecordsOutage ? RecordsOutage : Failure)(`${prefix}${failure.message}`);
