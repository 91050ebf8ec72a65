// Answers that the gateway gives by itself (MGT-C9).
import type { ServerResponse } from "node:http";

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

export const writeError = (
  to: ServerResponse,
  status: number,
  message: string,
  add: readonly string[] = [],
): void => writeJson(to, status, { error: message }, add);
