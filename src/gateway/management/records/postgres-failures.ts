// Errors of PostgreSQL that are no bugs of Weir: the server is unreachable, full, or rejects the connection.
import type { DatabaseFailure, DatabaseFailureKind } from "./database-failure.ts";
import { MissingExtension } from "./migrations.ts";

/** The failures by the beginning of the server's error code; longer beginnings precede shorter ones. */
const SENTENCES: readonly (readonly [code: string, kind: DatabaseFailureKind, sentence: string])[] =
  [
    ["28", "unfit", "rejects the user name or the password"],
    ["3D000", "unfit", "does not exist: create it with createdb"],
    ["42501", "unfit", "denies a permission: make this user the owner of the tables"],
    ["25006", "read-only", "is read-only"],
    ["25P03", "busy", "has ended a write that took too long"],
    ["55P03", "busy", "is locked by another gateway"],
    ["57014", "busy", "takes too long"],
    ["57P", "unreachable", "is shutting down or starting"],
    ["53100", "full", "cannot grow: the disk is full"],
    ["53", "busy", "has no free connection, memory or disk"],
    ["58", "unfit", "cannot read or write its files"],
    ["XX001", "unfit", "is damaged: restore it from a backup"],
    ["XX002", "unfit", "is damaged: restore it from a backup"],
    ["08", "unreachable", "closes the connection"],
  ];

/** The server does not respond, or the network drops all packets. */
export const SILENT: DatabaseFailure = { kind: "unreachable", sentence: "does not respond" };

/** The system's error codes for failed connections. */
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

/** Messages of the client library that have no error code. */
const BROKEN_OFF =
  /^(Connection terminated|Client has encountered a connection error|The server does not support SSL)/;
const TIMED_OUT =
  /^(Connection terminated due to connection timeout|timeout exceeded|Query read timeout)/;

/** The failure that an error means; null: the error is not from PostgreSQL. */
export function postgresFailure(error: unknown): DatabaseFailure | null {
  if (error instanceof AggregateError) return postgresFailure(error.errors[0]);
  if (!(error instanceof Error)) return null;
  if (error instanceof MissingExtension)
    return {
      kind: "unfit",
      sentence: `lacks the extension ${error.message}, which searches need: an administrator has to install it and run "create extension ${error.message}"`,
    };
  const code = "code" in error ? String(error.code) : "";
  if (isTimeout(error)) return SILENT;
  if (AWAY.has(code) || BROKEN_OFF.test(error.message))
    return { kind: "unreachable", sentence: "cannot be reached" };
  const known = SENTENCES.find(([start]) => code.startsWith(start));
  return known === undefined ? null : { kind: known[1], sentence: known[2] };
}

/** Whether the client library has stopped waiting for the server. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && TIMED_OUT.test(error.message);
