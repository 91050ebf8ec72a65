// Responses that the gateway generates itself (MGT-C9).
import type { ServerResponse } from "node:http";
import { bodyOf, REFUSALS as all, type RefusalResponse } from "../refusals.ts";
import type { RequestRejection } from "./rejections.ts";

export function writeJson(
  to: ServerResponse,
  status: number,
  body: unknown,
  add: readonly string[],
): void {
  const text = JSON.stringify(body);
  to.writeHead(status, [
    "Content-Type",
    "application/json",
    "Content-Length",
    String(Buffer.byteLength(text)),
    ...add,
  ]);
  to.end(text);
}

const REFUSALS: ReadonlyMap<RefusalResponse, string> = new Map(
  Object.values(all).map((refused) => [refused, JSON.stringify(bodyOf(refused))]),
);

/** Writes a response whose text is constant and plain ASCII. */
export function writeRefusal(
  to: ServerResponse,
  refused: RefusalResponse,
  add: readonly string[],
): void {
  const text = REFUSALS.get(refused) ?? JSON.stringify(bodyOf(refused));
  const headers = ["Content-Type", "application/json", "Content-Length", String(text.length)];
  for (const each of add) headers.push(each);
  for (const each of refused.headers ?? []) headers.push(...each);
  to.writeHead(refused.status, headers);
  to.end(text, "latin1");
}

export const writeError = (
  to: ServerResponse,
  status: number,
  message: string,
  add: readonly string[] = [],
): void => writeJson(to, status, { error: message }, add);

export function writeRejection(
  to: ServerResponse,
  { status, text }: RequestRejection,
  retryAfterSeconds: number,
): void {
  to.writeHead(status, [
    "Content-Type",
    "application/json",
    "Content-Length",
    String(text.length),
    "Retry-After",
    String(retryAfterSeconds),
  ]);
  to.end(text, "latin1");
}
