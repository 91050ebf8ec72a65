// The results of a request, as the strict reader has read it: what the gateway decides by, and what the upstream reads.
import { credentialIn } from "#src/gateway/credential.ts";
import { normalizePath } from "#src/gateway/path.ts";
import { listOf, valuesOf, type ReadRequest } from "./strict-reader.ts";

/** One word for the content of a request, the same in every framing. */
export const wordFor = (
  method: string,
  path: string,
  credential: string | null,
  body: string,
): string => `${method} ${path} ${credential ?? "-"} ${body.length} ${digestOf(body)}`;

function digestOf(text: string): number {
  let digest = 0;
  for (let i = 0; i < text.length; i++) digest = (Math.imul(digest, 31) + text.charCodeAt(i)) | 0;
  return digest;
}

export const targetOf = ({ target }: ReadRequest): string => {
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? [];
  return rest === undefined ? target : rest.startsWith("/") ? rest : `/${rest}`;
};

const queryOf = (target: string): string => {
  const [before = ""] = target.split("#");
  const start = before.indexOf("?");
  return start < 0 ? "" : before.slice(start);
};

/** Null: it is no path that a gateway takes. */
const onwardPath = (read: ReadRequest): string | null => {
  const target = targetOf(read);
  const path = normalizePath(target);
  return path === null ? null : path + queryOf(target);
};

const isKeyless = (path: string): boolean => /^\/open(?:[/?]|$)/.test(path);

/** What the upstream should read of it. */
export const upstreamWord = (read: ReadRequest): string | null => {
  const path = onwardPath(read);
  if (path === null) return null;
  const staysHere =
    !isKeyless(path) || listOf(read.headers, "connection").includes("authorization");
  const credential = staysHere ? null : (valuesOf(read.headers, "authorization")[0] ?? null);
  return wordFor(read.method, path, credential, read.body);
};

/** Null also for two of one name, which the gateway rejects before it looks at either. */
export function credentialOf({ headers }: ReadRequest): string | null {
  const authorization = valuesOf(headers, "authorization");
  const key = valuesOf(headers, "x-api-key");
  if (authorization.length > 1 || key.length > 1) return null;
  return credentialIn({ authorization: authorization[0], "x-api-key": key[0] });
}

const GATEWAY_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "via",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
]);

/** A header that the upstream reads and the client has not sent. */
export function foreignHeader(raw: readonly string[], { headers }: ReadRequest): string | null {
  for (let i = 0; i < raw.length; i += 2) {
    const [name, value] = [raw[i]!, raw[i + 1]!];
    if (GATEWAY_HEADERS.has(name.toLowerCase())) continue;
    const isSent = headers.some(([sent, sentValue]) => sent === name && sentValue === value);
    if (!isSent) return `${name}: ${value}`;
  }
  return null;
}

/** The gateway answers these itself. */
export const isOwn = (request: ReadRequest | undefined): boolean =>
  request === undefined ||
  targetOf(request) === "*" ||
  ["/hello", "/ready"].includes(normalizePath(targetOf(request)) ?? "");
