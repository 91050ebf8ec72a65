// What PostgreSQL says no with, and which of it is nobody's bug: a server that is away, full or refuses us.
import type { DatabaseFault, FaultKind } from "./database-fault.ts";
import { MissingExtension } from "./migrations.ts";

/** By the first letters of the code that the server gives, longest first. */
const SENTENCES: readonly (readonly [code: string, kind: FaultKind, sentence: string])[] = [
  ["28", "unfit", "refuses the name or the password"],
  ["3D000", "unfit", "is not there: somebody has to create it"],
  ["42501", "unfit", "refuses what this user needs: it has to own its tables"],
  ["25006", "read-only", "is read-only"],
  ["25P03", "busy", "has ended a write that took too long"],
  ["55P03", "busy", "is kept busy by another gateway"],
  ["57014", "busy", "takes too long"],
  ["57P", "unreachable", "is going down or just coming up"],
  ["53100", "full", "cannot grow: the disk is full"],
  ["53", "busy", "has nothing left: connections, memory or disk"],
  ["58", "unfit", "cannot read or write its files"],
  ["XX001", "unfit", "is damaged: put a copy of it back"],
  ["XX002", "unfit", "is damaged: put a copy of it back"],
  ["08", "unreachable", "breaks off"],
];

/** A server that stands still, or a network that drops everything. */
export const SILENT: DatabaseFault = { kind: "unreachable", sentence: "does not respond" };

/** Of the connection itself, by the code of the system. */
const AWAY: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
]);

/** What the driver says without a code. */
const BROKEN_OFF =
  /^(Connection terminated|Client has encountered a connection error|The server does not support SSL)/;
const TIMED_OUT =
  /^(Connection terminated due to connection timeout|timeout exceeded|Query read timeout)/;

/** Null for an error that PostgreSQL has no part in. */
export function postgresFault(error: unknown): DatabaseFault | null {
  if (error instanceof AggregateError) return postgresFault(error.errors[0]);
  if (!(error instanceof Error)) return null;
  if (error instanceof MissingExtension)
    return {
      kind: "unfit",
      sentence: `lacks the extension ${error.message}, which searches need: an administrator has to install it, and say "create extension ${error.message}" there`,
    };
  const code = "code" in error ? String(error.code) : "";
  if (isTimeout(error)) return SILENT;
  if (AWAY.has(code) || BROKEN_OFF.test(error.message))
    return { kind: "unreachable", sentence: "cannot be reached" };
  const known = SENTENCES.find(([start]) => code.startsWith(start));
  return known === undefined ? null : { kind: known[1], sentence: known[2] };
}

/** By the driver's own clock, without a response of the server. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && TIMED_OUT.test(error.message);
