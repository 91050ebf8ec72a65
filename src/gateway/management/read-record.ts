// Reads records with the readers of world files. Integers beyond 2^53 become the nearest doubles: limits are smaller.
import type {
  ApiDefinition,
  Configuration,
  GatewayOptions,
  Key,
  Policy,
  Supplies,
} from "../../limiter/core/config.ts";
import type { Problem } from "../../kit/reading/problems.ts";
import { readApi } from "../../limiter/world/api.ts";
import { warnMerged } from "../../limiter/world/effective.ts";
import { readKeys, type KeyReadContext } from "../../limiter/world/key.ts";
import { GATEWAY } from "../../limiter/world/members.ts";
import { readOptions } from "../../limiter/world/options.ts";
import { open, strictFindings } from "../../limiter/world/place.ts";
import { readPolicy, SUPPLIES_ALL } from "../../limiter/world/policy.ts";
import { NO_SUGGESTION, suggestionFor, type References } from "../../limiter/world/references.ts";
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { Stored } from "./records/records.ts";

/** The parts of a configuration to which keys can refer. */
export type RecordConfiguration = Pick<Configuration, "apis" | "policies" | "options">;

export interface ReadRecord {
  readonly problems: readonly Problem[];
  readonly api?: ApiDefinition | null;
  readonly policy?: Policy | null;
  readonly key?: Key | null;
  readonly options?: GatewayOptions | null;
}

/** Reads a new or changed document, and reports all its errors and warnings. */
export function readRecord(
  family: RecordTypeName,
  id: string,
  document: JsonObject,
  { apis, policies, options }: RecordConfiguration,
): ReadRecord {
  const suppliesOf = (policy: string): Supplies => policies.get(policy)?.supplies ?? SUPPLIES_ALL;
  // A policy may be deleted while keys name it, so unknown policies are accepted.
  const references = { apis: idsOf(apis), policies: { ...idsOf(policies), keepsDangling: true } };
  const known = { ...references, suppliesOf, options };
  const read = readWith(family, id, document, known);
  if (read.key === undefined || read.key === null) return read;
  const problems = [...read.problems];
  warnMerged(read.key, { policies, options }, problems);
  return { ...read, problems };
}

/** Reads a stored document. Records that it refers to may be missing, because other records change independently. */
export const readStored = (
  family: RecordTypeName,
  { id, document }: Stored,
  options: GatewayOptions,
): ReadRecord => readWith(family, id, document, { ...ANYTHING, options });

/** Accepts every reference. Each request resolves references, so a change of one record requires reading no other. */
const ANY: References = { find: (name) => name, suggest: () => NO_SUGGESTION };
const ANYTHING = { apis: ANY, policies: ANY, suppliesOf: () => SUPPLIES_ALL };

/** Looks names up without copying the records, which may be many. Suggests names for the first few misses. */
function idsOf(records: ReadonlyMap<string, unknown>): References {
  let suggestions = MOST_SUGGESTIONS;
  return {
    find: (name) => (records.has(name) ? name : null),
    suggest: (name) =>
      suggestions-- <= 0
        ? NO_SUGGESTION
        : suggestionFor(name, firstOf(records.keys(), MOST_CANDIDATES), ""),
  };
}

function* firstOf<Each>(all: Iterable<Each>, most: number): Iterable<Each> {
  let left = most;
  for (const each of all) {
    if (left-- === 0) return;
    yield each;
  }
}

const MOST_SUGGESTIONS = 3;
const MOST_CANDIDATES = 1_000;

function readWith(
  family: RecordTypeName,
  id: string,
  document: JsonObject,
  known: KeyReadContext,
): ReadRecord {
  const read = readDoubles(family, id, asDoubles(document), known);
  return { ...read, problems: read.problems.map((problem) => asWritten(problem, document)) };
}

function readDoubles(
  family: RecordTypeName,
  id: string,
  raw: JsonValue,
  known: KeyReadContext,
): ReadRecord {
  const problems: Problem[] = [];
  switch (family) {
    case "apis":
      return { problems, api: readApi(id, raw, [], problems, known.options) };
    case "policies":
      return { problems, policy: readPolicy(id, raw, [], problems, known) };
    case "keys": {
      const [read] = readKeys(id, asOne(raw), [], problems, known);
      return { problems, key: read?.key ?? null };
    }
    case "gateway": {
      const place = open(raw, [], strictFindings(problems, []), GATEWAY);
      return { problems, options: place && readOptions(place) };
    }
    case "users":
    case "profiles":
    case "webhooks":
    case "catalogues":
    case "tokens":
    case "installation":
      return { problems };
  }
}

/** Removes `count`, which creates several keys in a world file: a record is always one key. */
function asOne(raw: JsonValue): JsonValue {
  if (!isObject(raw) || !Object.hasOwn(raw, "count")) return raw;
  const { count: _, ...one } = raw;
  return one;
}

const asDoubles = (value: JsonValue): JsonValue => {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(asDoubles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => [name, asDoubles(member)]),
  );
};

/** Replaces a number in a message, which may have been rounded to a double, by its digits in the document. */
function asWritten(problem: Problem, document: JsonObject): Problem {
  let value: JsonValue | undefined = document;
  for (const step of problem.path)
    value =
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<string | number, JsonValue>>)[step]
        : undefined;
  if (typeof value !== "bigint") return problem;
  const message = problem.message.replaceAll(String(Number(value)), String(value));
  return { ...problem, message };
}
