// APIs, policies and options as the records have them: few, so that all of them are kept, and each is read again only
// where it has changed itself.
import type { ApiDefinition, Configuration, GatewayOptions, Policy } from "../core/config.ts";
import { DEFAULT_OPTIONS } from "../world/options.ts";
import { readKept, type Governing, type ReadRecord } from "./as-configured.ts";
import { sentence } from "./judged.ts";
import type { JsonValue } from "./json.ts";
import type { Family } from "./records/family.ts";
import type { Change, Records, Stored, WrittenChange } from "./records/records.ts";

/** Says what is wrong with a record that was sound when it was kept. */
export type Tell = (said: string) => void;

const FAMILIES: ReadonlySet<Family> = new Set(["apis", "policies", "gateway"]);
export const governs = ({ family }: Pick<Change, "family">): boolean => FAMILIES.has(family);

const MOST_ONE_BY_ONE = 100;
const READ_IN_A_TURN = 4;

export async function allGoverning(records: Records, tell: Tell): Promise<Governing> {
  const kept = await records.read("gateway", "gateway");
  const options = kept === null ? DEFAULT_OPTIONS : optionsIn(kept, DEFAULT_OPTIONS, tell);
  const apis = new Map<string, ApiDefinition>();
  const policies = new Map<string, Policy>();
  let read = 0;
  for (const stored of (await records.list("apis", null)).records) {
    if (read++ % READ_IN_A_TURN === 0) await records.turn();
    put(apis, stored, sound("apis", stored, options, tell)?.api);
  }
  for (const stored of (await records.list("policies", null)).records) {
    if (read++ % READ_IN_A_TURN === 0) await records.turn();
    put(policies, stored, sound("policies", stored, options, tell)?.policy);
  }
  return { apis, policies, options };
}

export async function changedGoverning(
  records: Records,
  before: Governing,
  changes: readonly Change[],
  tell: Tell,
): Promise<Governing> {
  const changed = new Map(changes.map((change) => [`${change.family}/${change.id}`, change]));
  if (changed.size > MOST_ONE_BY_ONE) return allGoverning(records, tell);
  const next = copyOf(before);
  for (const { family, id } of changed.values()) {
    const stored = await records.read(family, id);
    await records.turn();
    apply(next, family, id, stored, tell);
  }
  return next;
}

/** Without the database: what this gateway has written itself, in the order of the changes. */
export function writtenGoverning(
  before: Governing,
  written: readonly WrittenChange[],
  tell: Tell,
): Governing {
  const next = copyOf(before);
  for (const { family, id, after } of written) apply(next, family, id, after, tell);
  return next;
}

interface Changing {
  readonly apis: Map<string, ApiDefinition>;
  readonly policies: Map<string, Policy>;
  options: GatewayOptions;
}

const copyOf = ({ apis, policies, options }: Governing): Changing => ({
  apis: new Map(apis),
  policies: new Map(policies),
  options,
});

function apply(
  next: Changing,
  family: Family,
  id: string,
  stored: Stored | null,
  tell: Tell,
): void {
  const { apis, policies, options } = next;
  if (family === "gateway")
    next.options = stored === null ? DEFAULT_OPTIONS : optionsIn(stored, options, tell);
  else if (stored === null) (family === "apis" ? apis : policies).delete(id);
  else if (family === "apis") put(apis, stored, sound(family, stored, options, tell)?.api);
  else put(policies, stored, sound(family, stored, options, tell)?.policy);
}

const put = <Value extends ApiDefinition | Policy>(
  into: Map<string, Value>,
  { id, document }: Stored,
  value: Value | null | undefined,
): void => {
  if (value === null || value === undefined) into.delete(id);
  else {
    into.set(id, value);
    organisations.set(value, document["org_id"]);
  }
};

/** Of which organisation they are, as their records say: no limit goes by it. */
const organisations = new WeakMap<ApiDefinition | Policy, JsonValue | undefined>();

/** As if there were only what is of one organisation. */
export function governingOf(configuration: Configuration, organisation: string): Configuration {
  const only = <Value extends ApiDefinition | Policy>(all: ReadonlyMap<string, Value>) =>
    new Map([...all].filter(([, value]) => organisations.get(value) === organisation));
  return {
    ...configuration,
    apis: only(configuration.apis),
    policies: only(configuration.policies),
  };
}

/** Null, and told: half of a rule would let in whom the whole of it keeps out. */
export function sound(
  family: Family,
  stored: Stored,
  options: GatewayOptions,
  tell: Tell,
): ReadRecord | null {
  if (stored.isDamaged === true) return null; // which the records tell
  const read = readKept(family, stored, options);
  const faults = read.problems.filter(({ severity }) => severity === "error");
  if (faults.length === 0) return withId(stored.id, read);
  const said = faults.map(sentence).join("; ");
  tell(`the record ${family}/${stored.id} is not obeyed: ${said}`);
  return null;
}

/** Whatever a document calls itself, its record has one name. */
const withId = (id: string, { problems, api, policy, key, options }: ReadRecord): ReadRecord => ({
  problems,
  api: api ? { ...api, id } : null,
  policy: policy ? { ...policy, id } : null,
  key: key ? { ...key, id } : null,
  options: options ?? null,
});

/** What was in force stays, where what is kept makes no sense. */
const optionsIn = (stored: Stored, before: GatewayOptions, tell: Tell): GatewayOptions =>
  sound("gateway", stored, before, tell)?.options ?? before;
