// Reads the API definitions of a world: the short form, the classic one and OAS.
import type { Json } from "../../kit/reading/shape.ts";
import type {
  OracleApi,
  OracleEndpointLimit,
  OracleKeyBy,
  OraclePathPattern,
} from "./configured.ts";
import { limitOf } from "./reader-limits.ts";
import { at, entriesIn, isMembers, listIn, membersIn, textIn, type WorldFields } from "./text.ts";

/** Reads an API in the form that its fields identify. Weir's own fields may be in the wrapper of a definition. */
export function apiOf(name: string, fields: WorldFields): OracleApi {
  const { openapi, definition } = fields;
  if (isMembers(openapi)) return ofOas(name, openapi, fields);
  if (openapi !== undefined) return ofOas(name, fields);
  if (OF_CLASSIC.some((member) => fields[member] !== undefined)) return ofClassic(name, fields);
  return isMembers(definition) ? ofClassic(name, definition, fields) : ofShort(name, fields);
}

const OF_CLASSIC = ["api_id", "id", "proxy", "extended_paths", "version_data", "use_keyless"];

/** The listen path from the form's own field, or from Weir's `listen` in the definition or its wrapper. */
const listenPath = (own: Json | undefined, fields: WorldFields, around: WorldFields): string =>
  bare(own ?? fields["listen"] ?? around["listen"]);

const ofShort = (name: string, fields: WorldFields): OracleApi => ({
  id: name,
  listenPath: bare(fields["listen"]),
  active: fields["active"] !== false,
  keyless: fields["keyless"] === true,
  disableRateLimit: fields["disable_rate_limit"] === true,
  globalRateLimit: limitOf(membersIn(fields["global_rate_limit"])) ?? limitOf(fields),
  endpoints: entriesOf(fields["endpoints"]),
  keyBy: keyByOf(fields["key_by"]),
});

/** Endpoint entries are in the order of their array (EPT-3), those of versions after those of the definition. */
function ofClassic(name: string, fields: WorldFields, around: WorldFields = {}): OracleApi {
  const versions = entriesIn(at(fields, "version_data", "versions")).map(([, version]) => version);
  return {
    id: textIn(fields["api_id"]) ?? textIn(fields["id"]) ?? name,
    listenPath: listenPath(at(fields, "proxy", "listen_path"), fields, around),
    active: fields["active"] !== false,
    keyless: fields["use_keyless"] === true,
    disableRateLimit: fields["disable_rate_limit"] === true,
    globalRateLimit: limitOf(membersIn(fields["global_rate_limit"])),
    endpoints: [fields, ...versions].flatMap((each) =>
      entriesOf(at(each, "extended_paths", "rate_limit")),
    ),
    keyBy: keyByOf(fields["key_by"]) ?? keyByOf(around["key_by"]),
  };
}

/** EPT-2: whether an entry is enabled, which is the default. A disabled entry is skipped, and the next is tried. */
const isOn = (entry: Json | undefined): boolean =>
  at(entry, "enabled") !== false && at(entry, "disabled") !== true;

const entriesOf = (list: Json | undefined): OracleEndpointLimit[] =>
  listIn(list).flatMap((entry) =>
    endpoint(textIn(at(entry, "method")) ?? "", textIn(at(entry, "path")) ?? "", entry),
  );

function endpoint(method: string, path: string, entry: Json | undefined): OracleEndpointLimit[] {
  const limit = isOn(entry) ? limitOf(membersIn(entry)) : null;
  return limit === null ? [] : [{ method: method.toUpperCase(), pattern: patternOf(path), limit }];
}

/** EPT-4: a rate limit names its operation by id; `paths` has the operation's method and path. */
function ofOas(name: string, fields: WorldFields, around: WorldFields = {}): OracleApi {
  const extension = membersIn(fields["x-gw-api-gateway"]);
  const limits = new Map(
    [at(extension, "operations"), at(extension, "middleware", "operations")].flatMap((operations) =>
      entriesIn(operations).map(([id, operation]) => [id, at(operation, "rateLimit")] as const),
    ),
  );
  const endpoints = entriesIn(fields["paths"]).flatMap(([path, item]) =>
    entriesIn(item).flatMap(([method, operation]) =>
      endpoint(method, path, limits.get(textIn(at(operation, "operationId")) ?? "")),
    ),
  );
  const upstream = at(extension, "upstream", "rateLimit");
  return {
    id: textIn(at(extension, "info", "id")) ?? name,
    listenPath: listenPath(at(extension, "server", "listenPath", "value"), fields, around),
    active: at(extension, "info", "state", "active") !== false,
    keyless: at(extension, "server", "authentication", "enabled") === false,
    disableRateLimit: at(extension, "middleware", "global", "skipRateLimit") === true,
    globalRateLimit: isOn(upstream) ? limitOf(membersIn(upstream)) : null,
    endpoints: endpoints.toSorted(bySpecificity),
    keyBy: keyByOf(fields["key_by"]) ?? keyByOf(around["key_by"]),
  };
}

/** EPT-6, EPT-C3: paths without a wildcard first, then longer prefixes, then more literal text, then alphabetically. */
function bySpecificity(
  { pattern: a }: OracleEndpointLimit,
  { pattern: b }: OracleEndpointLimit,
): number {
  const isWild = ({ pieces }: OraclePathPattern): number => Number(pieces.length > 1);
  const beginning = ({ pieces }: OraclePathPattern): number => pieces[0]!.length;
  const literal = ({ pieces }: OraclePathPattern): number => pieces.join("").length;
  if (isWild(a) + isWild(b) < 2) return isWild(a) - isWild(b);
  const order = beginning(b) - beginning(a) || literal(b) - literal(a);
  return order || (a.text < b.text ? -1 : Number(a.text > b.text));
}

const WILDCARD = /\{[^{}]*\}|\(\.\*\)|\*/;

export const patternOf = (text: string): OraclePathPattern => ({
  text,
  pieces: text.split(WILDCARD),
});

/** Removes trailing slashes: "/orders/" and "/orders" are the same listen path. */
const bare = (path: Json | undefined): string => (textIn(path) ?? "/").replace(/(?<=.)\/+$/, "");

/** LIM-C17: reads `ip` or `{ header: X-Tenant }`; null if the field is missing. */
export function keyByOf(value: Json | undefined): OracleKeyBy | null {
  const header = textIn(at(value, "header"));
  if (header !== null) return { header: header.toLowerCase() };
  return value === "ip" || value === "credential" ? value : null;
}
