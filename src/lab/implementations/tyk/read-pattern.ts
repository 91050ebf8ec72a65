// What counts as a client of a key with `rate_limit_pattern`: a text with variables of its metadata and of the request.
import type { RequestFacts } from "../reading.ts";
import { pathOf } from "../request-parts.ts";
import { childrenOf, textIn, type YamlNode } from "../yaml-tree.ts";

/** The text for a request; empty: the key itself is the client. */
export type ClientPattern = (request: RequestFacts, hasContext: boolean) => string;

export type Metadata = ReadonlyMap<string, string>;

export const metadataIn = (node: YamlNode | null): Metadata =>
  new Map((node?.fields == null ? [] : childrenOf(node)).map((each) => [each.name, textIn(each)]));

const VARIABLE = /(\$tyk_(?:meta|context)\.[\w.-]+|\$secret_[\w.-]+)/;

/** Null: it has a variable that this reader does not know. */
export function readPattern(
  pattern: string,
  metadata: Metadata,
  headers: Set<string>,
): ClientPattern | null {
  const parts = pattern.split(VARIABLE).map((part, at) => {
    if (at % 2 === 0) return () => part;
    const [, of, name = ""] = /^\$tyk_(meta|context)\.(.*)$/.exec(part) ?? [];
    if (of === "meta") return () => metadata.get(name) ?? "";
    return of === "context" ? contextOf(name, headers) : null;
  });
  if (parts.includes(null)) return null;
  return (request, hasContext) => parts.map((part) => part!(request, hasContext)).join("");
}

/** A variable of the request, which is empty where an API has none. */
function contextOf(name: string, headers: Set<string>): ClientPattern | null {
  const valueOf = sourceOf(name, headers);
  return valueOf === null ? null : (request, hasContext) => (hasContext ? valueOf(request) : "");
}

function sourceOf(name: string, headers: Set<string>): ((request: RequestFacts) => string) | null {
  if (name === "remote_addr") return ({ address }) => address;
  if (name === "path") return pathOf;
  const [, written] = /^headers_(.+)$/.exec(name) ?? [];
  if (written === undefined) return null;
  const header = written.toLowerCase().replaceAll("_", "-");
  headers.add(header);
  return (request) => request.header(header) ?? "";
}
