// What PostgreSQL says no with, and which of it is nobody's bug: a server that is away, full or refuses us.
import { MissingExtension } from "./migrations.ts";

/** By the first letters of the code that the server gives, longest first. */
const SENTENCES: readonly (readonly [code: string, sentence: string])[] = [
  ["28", "refuses the name or the password"],
  ["3D000", "is not there: somebody has to create it"],
  ["42501", "refuses what this user needs: it has to own its tables"],
  ["25006", "is read-only"],
  ["25P03", "has ended a write that took too long"],
  ["55P03", "is kept busy by another gateway"],
  ["57014", "takes too long"],
  ["57P", "is going down or just coming up"],
  ["53100", "cannot grow: the disk is full"],
  ["53", "has nothing left: connections, memory or disk"],
  ["58", "cannot read or write its files"],
  ["XX001", "is damaged: put a copy of it back"],
  ["XX002", "is damaged: put a copy of it back"],
  ["08", "breaks off"],
];

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
  /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error|The server does not support SSL)/;

/** What is wrong with the database, after its name; null for a fault of Weir itself. */
export function postgresFault(error: unknown): string | null {
  if (error instanceof AggregateError) return postgresFault(error.errors[0]);
  if (!(error instanceof Error)) return null;
  if (error instanceof MissingExtension)
    return `lacks the extension ${error.message}, which searches need: an administrator has to install it, and say "create extension ${error.message}" there`;
  const code = "code" in error ? String(error.code) : "";
  if (AWAY.has(code) || BROKEN_OFF.test(error.message)) return "cannot be reached";
  return SENTENCES.find(([start]) => code.startsWith(start))?.[1] ?? null;
}
