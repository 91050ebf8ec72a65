// Reads the world of one variant: the gateways' configuration, with the reader for operators' files, and the
// environment.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { readConfiguration } from "../../../limiter/world/read.ts";
import { ENVIRONMENT_FIELDS, environmentOf, UNREAD_ENVIRONMENT } from "./environment.ts";
import { managementOf, USUAL_MANAGEMENT } from "./management.ts";
import { nameListOf, NO_WORLD_READ, type WorldNames } from "./name-lists.ts";
import { correctNames, record } from "../../../kit/reading/record.ts";
import {
  anything,
  isJsonMap,
  optional,
  type Fields,
  type JsonMap,
  type Json,
  type Shape,
} from "../../../kit/reading/shape.ts";
import { readRulesOf, RULES_FIELDS, type RulesReader } from "./rules.ts";
import type { World } from "../world.ts";

/** A field whose value the configuration reader checks. page/schema.ts adds the schema to which it refers. */
const reference = (name: string, called: string): Shape<Json> => ({
  ...anything,
  called,
  schema: { $ref: `#/$defs/${name}` },
});

export const CONFIGURATION_FIELDS = {
  apis: optional(
    reference("apis", "a map of APIs"),
    null,
    "The APIs by name: the short form, a classic `definition:`, or an OAS document under `openapi:`.",
  ),
  policies: optional(
    reference("policies", "a map of policies"),
    null,
    "The policies by id, in the document's own field names; `apis: [names]` is the short form of `access_rights`.",
  ),
  keys: optional(
    reference("keys", "a map of keys"),
    null,
    "The keys by the name that traffic uses in `as:`. `count: 100` creates 100 equal keys.",
  ),
  gateway: optional(
    reference("gateway", "a map of options"),
    null,
    "The gateway's options: the algorithm, thresholds, what happens without the store.",
  ),
} as const satisfies Fields;

export const WORLD_FIELDS = {
  ...CONFIGURATION_FIELDS,
  ...RULES_FIELDS,
  ...ENVIRONMENT_FIELDS,
};
const worldShape = record("a world", WORLD_FIELDS);

interface ReadWorld {
  readonly world: World;
  readonly names: WorldNames;
  readonly isRead: boolean; // false if the value is not a map
}

/**
 * Reads a world. Errors of its configuration become a part of the world and are not reported here, because an
 * expectation may require them.
 */
export function readWorld(
  value: Json | undefined,
  at: Path,
  readRules: RulesReader,
  problems: Problem[],
): ReadWorld {
  const read = value === undefined ? undefined : worldShape.read(value, at, problems);
  const isRead = value !== undefined && isJsonMap(value);
  const { fields, pathInFile } = correctNames(isRead ? value : {}, Object.keys(WORLD_FIELDS));
  const environment = read && environmentOf(read, at, problems);
  const management = managementOf(read?.management ?? null, [...at, "management"], problems);
  const rules = read && readRulesOf(read, fields, at, readRules, problems);
  const isByRules = Object.keys(RULES_FIELDS).some((name) => Object.hasOwn(fields, name));
  const raw = isByRules ? WITHOUT_HEADERS : configurationPart(fields);
  const { configuration, problems: ofConfiguration, credentials, ids } = readConfiguration(raw);
  const isBroken = ofConfiguration.some(({ severity }) => severity === "error");
  const world = {
    rules: rules ?? null,
    configuration: isBroken ? null : configuration,
    raw,
    management: management ?? USUAL_MANAGEMENT,
    problems: ofConfiguration.map((problem) => ({ ...problem, path: pathInFile(problem.path) })),
    credentials,
    environment: environment ?? UNREAD_ENVIRONMENT,
  };
  if (isByRules)
    // Any name is a client: the rules count by what it sends.
    return { world, names: NO_WORLD_READ, isRead: isRead && rules !== undefined };
  const names = {
    keys: nameListOf([ids.keys === null ? undefined : [...credentials.keys()]]),
    keyIds: nameListOf([ids.keys === null ? undefined : [...ids.keys]]),
    apis: nameListOf([ids.apis === null ? undefined : [...ids.apis]]),
  };
  return { world, names: isRead ? names : NO_WORLD_READ, isRead };
}

/** Other limiters have headers of their own, which no reader reads. */
const WITHOUT_HEADERS = { gateway: { rate_limit_headers: "off" } };

const configurationPart = (value: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(value).filter(([name]) => Object.hasOwn(CONFIGURATION_FIELDS, name)),
  );

/** JSON Merge Patch (RFC 7396): maps are merged, null removes a field, everything else replaces. */
export function applyPatch(target: Json | undefined, patch: JsonMap): JsonMap;
export function applyPatch(target: Json | undefined, patch: Json): Json;
export function applyPatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonMap(patch)) return patch;
  const merged = new Map<string, Json>(
    target !== undefined && isJsonMap(target) ? Object.entries(target) : [],
  );
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, applyPatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
