// Where the value of a descriptor's entry comes from: a part of the request.
import type { RequestFacts } from "../reading.ts";

/** The value of a request. Null: the request has none, so Envoy sends no such descriptor. */
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

/** Whether routes of Envoy give the key a fixed value, so that each value is a question of its own. */
export const isConstant = (key: string): boolean =>
  /^(?:generic_key|header_match|query_match|query_parameter_value_match|(?:source|destination)_cluster)$/.test(
    key,
  );
