// The gateway's own pages: whether it is alive, whether it should get requests, and metrics. They spend nothing, and
// precede every API (MGT-C11).
import type { IncomingMessage, ServerResponse } from "node:http";
import { BROWSER_HEADERS } from "./browser-headers.ts";

export type OwnPage = (from: IncomingMessage, to: ServerResponse) => void;

export type OwnPages = ReadonlyMap<string, OwnPage>;

const LONGEST = 64;

/** The page at a request target; null: none. Compares the path as sent, because other spellings belong to APIs. */
export function ownPageAt(pages: OwnPages, target: string): OwnPage | null {
  if (target.length > LONGEST) return null;
  const page = pages.get(target);
  if (page !== undefined) return page;
  const end = target.indexOf("?");
  return end < 0 ? null : (pages.get(target.slice(0, end)) ?? null);
}

export function answerPage(
  from: IncomingMessage,
  to: ServerResponse,
  status: number,
  body: string,
  contentType = "application/json",
): void {
  to.writeHead(status, {
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(body),
    ...BROWSER_HEADERS,
  });
  to.end(from.method === "HEAD" ? undefined : body);
}

/** Serves GET and HEAD; other methods get 405. */
export const readOnly =
  (page: OwnPage): OwnPage =>
  (from, to) => {
    if (from.method === "GET" || from.method === "HEAD") {
      page(from, to);
      return;
    }
    to.setHeader("Allow", "GET, HEAD");
    answerPage(from, to, 405, JSON.stringify({ error: "Method Not Allowed" }));
  };
