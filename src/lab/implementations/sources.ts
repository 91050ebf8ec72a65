// Parts of a request by which a limiter may identify clients, as --set names them where only code does.
import type { RequestFacts } from "./reading.ts";

/** The value of a request. Null: the request has none, so the limit does not count it. */
export type Source = (request: RequestFacts) => string | null;

const orNull = (text: string | null): string | null => (text === "" ? null : text);

const SOURCES: Readonly<Record<string, Source>> = {
  all: () => "",
  none: () => null,
  remote_address: ({ address }) => orNull(address),
  path: ({ target }) => target,
  ":path": ({ target }) => target,
  method: ({ method }) => method,
  ":method": ({ method }) => method,
  host: ({ host }) => orNull(host),
  authority: ({ host }) => orNull(host),
  ":authority": ({ host }) => orNull(host),
};

/** The source with this name; null: it is unknown. A name with a hyphen is that of a header. */
export function sourceOf(name: string, headers: Set<string>): Source | null {
  const simple = SOURCES[name.toLowerCase()];
  if (simple !== undefined) return simple;
  const [, prefix] = /^path:(\/.*)$/s.exec(name) ?? [];
  if (prefix !== undefined) return ({ target }) => (target.startsWith(prefix) ? "" : null);
  const [, header] = /^(?:header:)?((?<=:)[\w-]+|[\w]+-[\w-]+)$/.exec(name.toLowerCase()) ?? [];
  if (header === undefined) return null;
  headers.add(header);
  return (request) => orNull(request.header(header));
}

/** The sources that a message lists. */
export const SOURCE_NAMES =
  "all, none, path:/PREFIX, header:NAME, remote_address, path, method or host";
