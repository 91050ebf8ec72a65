// Reads the API definitions of a world: the short form, the classic one and OAS.
import type { Json } from "../reading/shape.ts";
import type { ApiDefinition, EndpointLimit, KeyBy, Pattern } from "./configured.ts";
import { limitOf } from "./reader-limits.ts";
import { at, entriesIn, isMembers, listIn, membersIn, textIn, type Members } from "./text.ts";

/** A definition is recognised by what only its form has, wrapped or as it is sent. What is Weir's own may stand in the wrapping. */
export function apiOf(name: string, said: Members): ApiDefinition {
  const { openapi, definition } = said;
  if (isMembers(openapi)) return ofOas(name, openapi, said);
  if (openapi !== undefined) return ofOas(name, said);
  if (OF_CLASSIC.some((member) => said[member] !== undefined)) return ofClassic(name, said);
  return isMembers(definition) ? ofClassic(name, definition, said) : ofShort(name, said);
}

const OF_CLASSIC = ["api_id", "id", "proxy", "extended_paths", "version_data", "use_keyless"];

/** A definition says it in its own place, or in Weir's words, in itself or around it. */
const listenPath = (own: Json | undefined, said: Members, around: Members): string =>
  bare(own ?? said["listen"] ?? around["listen"]);

const ofShort = (name: string, said: Members): ApiDefinition => ({
  id: name,
  listenPath: bare(said["listen"]),
  active: said["active"] !== false,
  keyless: said["keyless"] === true,
  disableRateLimit: said["disable_rate_limit"] === true,
  globalRateLimit: limitOf(membersIn(said["global_rate_limit"])) ?? limitOf(said),
  endpoints: entriesOf(said["endpoints"]),
  keyBy: keyByOf(said["key_by"]),
});

/** EPT-3: in the order of the array; those of versions behind those of the definition itself. */
function ofClassic(name: string, said: Members, around: Members = {}): ApiDefinition {
  const versions = entriesIn(at(said, "version_data", "versions")).map(([, version]) => version);
  return {
    id: textIn(said["api_id"]) ?? textIn(said["id"]) ?? name,
    listenPath: listenPath(at(said, "proxy", "listen_path"), said, around),
    active: said["active"] !== false,
    keyless: said["use_keyless"] === true,
    disableRateLimit: said["disable_rate_limit"] === true,
    globalRateLimit: limitOf(membersIn(said["global_rate_limit"])),
    endpoints: [said, ...versions].flatMap((each) =>
      entriesOf(at(each, "extended_paths", "rate_limit")),
    ),
    keyBy: keyByOf(said["key_by"]) ?? keyByOf(around["key_by"]),
  };
}

/** EPT-2: a switch that says nothing is on; what is off is not there, and the next one is tried. */
const isOn = (entry: Json | undefined): boolean =>
  at(entry, "enabled") !== false && at(entry, "disabled") !== true;

const entriesOf = (said: Json | undefined): EndpointLimit[] =>
  listIn(said).flatMap((entry) =>
    endpoint(textIn(at(entry, "method")) ?? "", textIn(at(entry, "path")) ?? "", entry),
  );

function endpoint(method: string, path: string, said: Json | undefined): EndpointLimit[] {
  const limit = isOn(said) ? limitOf(membersIn(said)) : null;
  return limit === null ? [] : [{ method: method.toUpperCase(), pattern: patternOf(path), limit }];
}

/** EPT-4: an operation goes by its id, and `paths` says which method and path it has. */
function ofOas(name: string, said: Members, around: Members = {}): ApiDefinition {
  const own = membersIn(said["x-gw-api-gateway"]);
  const limits = new Map(
    [at(own, "operations"), at(own, "middleware", "operations")].flatMap((operations) =>
      entriesIn(operations).map(([id, operation]) => [id, at(operation, "rateLimit")] as const),
    ),
  );
  const endpoints = entriesIn(said["paths"]).flatMap(([path, item]) =>
    entriesIn(item).flatMap(([method, operation]) =>
      endpoint(method, path, limits.get(textIn(at(operation, "operationId")) ?? "")),
    ),
  );
  const upstream = at(own, "upstream", "rateLimit");
  return {
    id: textIn(at(own, "info", "id")) ?? name,
    listenPath: listenPath(at(own, "server", "listenPath", "value"), said, around),
    active: at(own, "info", "state", "active") !== false,
    keyless: at(own, "server", "authentication", "enabled") === false,
    disableRateLimit: at(own, "middleware", "global", "skipRateLimit") === true,
    globalRateLimit: isOn(upstream) ? limitOf(membersIn(upstream)) : null,
    endpoints: endpoints.toSorted(bySpecificity),
    keyBy: keyByOf(said["key_by"]) ?? keyByOf(around["key_by"]),
  };
}

/** EPT-6, EPT-C3: without a wildcard first, then the longer beginning, then more that is literal, then by the text. */
function bySpecificity({ pattern: a }: EndpointLimit, { pattern: b }: EndpointLimit): number {
  const isWild = ({ pieces }: Pattern): number => Number(pieces.length > 1);
  const beginning = ({ pieces }: Pattern): number => pieces[0]!.length;
  const literal = ({ pieces }: Pattern): number => pieces.join("").length;
  if (isWild(a) + isWild(b) < 2) return isWild(a) - isWild(b);
  const order = beginning(b) - beginning(a) || literal(b) - literal(a);
  return order || (a.text < b.text ? -1 : Number(a.text > b.text));
}

const WILDCARD = /\{[^{}]*\}|\(\.\*\)|\*/;

export const patternOf = (text: string): Pattern => ({ text, pieces: text.split(WILDCARD) });

/** "/orders/" and "/orders" listen alike. */
const bare = (path: Json | undefined): string => (textIn(path) ?? "/").replace(/(?<=.)\/+$/, "");

/** LIM-C17: `ip`, or `{ header: X-Tenant }`; null where nothing is said. */
export function keyByOf(said: Json | undefined): KeyBy | null {
  const header = textIn(at(said, "header"));
  if (header !== null) return { header: header.toLowerCase() };
  return said === "ip" || said === "credential" ? said : null;
}
