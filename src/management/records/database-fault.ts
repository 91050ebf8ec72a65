// What a database cannot do now: a sentence for the operator, and a kind that decides what the client reads and which
// exit code a command has.
import { Refusal } from "../refusal.ts";

export type FaultKind =
  | "unreachable" // nobody responds, or nobody in time
  | "busy" // it responds, and cannot take this now
  | "full"
  | "read-only"
  | "unfit"; // somebody has to mend it: a permission, a file, a name

export interface DatabaseFault {
  readonly kind: FaultKind;
  readonly sentence: string; // after the name of the database
}

/** An outage passes by itself; what else keeps records closed has to be mended first. */
export const isOutage = ({ kind }: DatabaseFault): boolean =>
  kind === "unreachable" || kind === "busy";

const FOR_CLIENTS: Readonly<Record<FaultKind, string>> = {
  unreachable: "The records cannot be reached now",
  busy: "The records are busy now",
  full: "The records cannot be changed now: the disk is full",
  "read-only": "The records cannot be changed now: they are read-only",
  unfit: "The records cannot be read or changed now",
};

const SOON_S = "1";
const WHEN_MENDED_S = "30";

/** 503 in every case, because nothing is wrong with the request. */
export class DatabaseRefusal extends Refusal {
  readonly fault: DatabaseFault;

  constructor(fault: DatabaseFault) {
    const retryAfter = isOutage(fault) ? SOON_S : WHEN_MENDED_S;
    super(503, FOR_CLIENTS[fault.kind], [], { "Retry-After": retryAfter });
    this.fault = fault;
  }
}
