// Failures of a database: a message for the operator, and a kind that decides the response and the exit code.
import { Failure } from "../../../kit/reading/failure.ts";
import { Rejection } from "../rejection.ts";

export type DatabaseFailureKind =
  | "unreachable" // no response in time
  | "busy" // it responds, and cannot take this request now
  | "full"
  | "read-only"
  | "unfit"; // needs the operator: a permission, a file, a name

export interface DatabaseFailure {
  readonly kind: DatabaseFailureKind;
  readonly sentence: string; // follows the name of the database
}

/** An outage ends by itself; the other failures need the operator. */
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

/** Always 503, because the request is valid. */
export class DatabaseRejection extends Rejection {
  readonly failure: DatabaseFailure;

  constructor(failure: DatabaseFailure) {
    const retryAfter = isOutage(failure) ? SOON_S : WHEN_MENDED_S;
    super(503, FOR_CLIENTS[failure.kind], [], { "Retry-After": retryAfter });
    this.failure = failure;
  }
}

/** Records cannot be opened because their database is unreachable. That may end by itself: the settings may be right. */
export class RecordsOutage extends Failure {}

/** The same failure, an outage or not, with the place of the records before its message. */
export const prefixFailure = (prefix: string, failure: Failure): Failure =>
  new (failure instanceof RecordsOutage ? RecordsOutage : Failure)(`${prefix}${failure.message}`);
