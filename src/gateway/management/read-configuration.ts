// Reads APIs, policies and gateway options from the records. They are few, so all stay in memory, and only changed
// records are read again.
import type {
  ApiDefinition,
  Configuration,
  GatewayOptions,
  Policy,
} from "../../limiter/core/config.ts";
import { DEFAULT_OPTIONS } from "../../limiter/world/options.ts";
import { readStored, type RecordConfiguration, type ReadRecord } from "./read-record.ts";
import { sentence } from "./validate-record.ts";
import type { JsonValue } from "./json.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { RecordChange, ManagedRecords, Stored, WrittenChange } from "./records/records.ts";

/** Reports a stored record that is no longer valid. */
export type ReportProblem = (line: string) => void;

const FAMILIES: ReadonlySet<RecordTypeName> = new Set(["apis", "policies", "gateway"]);
export const isConfigurationChange = ({ family }: Pick<RecordChange, "family">): boolean =>
  FAMILIES.has(family);

const MOST_ONE_BY_ONE = 100;
const READ_IN_A_TURN = 4;

export async function readConfiguration(
  records: ManagedRecords,
  report: ReportProblem,
): Promise<RecordConfiguration> {
  const stored = await records.read("gateway", "gateway");
  const options = stored === null ? DEFAULT_OPTIONS : optionsIn(stored, DEFAULT_OPTIONS, report);
  const apis = new Map<string, ApiDefinition>();
  const policies = new Map<string, Policy>();
  let read = 0;
  for (const stored of (await records.list("apis", null)).records) {
    if (read++ % READ_IN_A_TURN === 0) await records.turn();
    put(apis, stored, readValid("apis", stored, options, report)?.api);
  }
  for (const stored of (await records.list("policies", null)).records) {
    if (read++ % READ_IN_A_TURN === 0) await records.turn();
    put(policies, stored, readValid("policies", stored, options, report)?.policy);
  }
  return { apis, policies, options };
}

export async function readChangedConfiguration(
  records: ManagedRecords,
  before: RecordConfiguration,
  changes: readonly RecordChange[],
  report: ReportProblem,
): Promise<RecordConfiguration> {
  const changed = new Map(changes.map((change) => [`${change.family}/${change.id}`, change]));
  if (changed.size > MOST_ONE_BY_ONE) return readConfiguration(records, report);
  const next = copyOf(before);
  for (const { family, id } of changed.values()) {
    const stored = await records.read(family, id);
    await records.turn();
    apply(next, family, id, stored, report);
  }
  return next;
}

/** Applies own writes, in the order of their changes, without reading the database. */
export function applyWritten(
  before: RecordConfiguration,
  written: readonly WrittenChange[],
  report: ReportProblem,
): RecordConfiguration {
  const next = copyOf(before);
  for (const { family, id, after } of written) apply(next, family, id, after, report);
  return next;
}

interface MutableConfiguration {
  readonly apis: Map<string, ApiDefinition>;
  readonly policies: Map<string, Policy>;
  options: GatewayOptions;
}

const copyOf = ({ apis, policies, options }: RecordConfiguration): MutableConfiguration => ({
  apis: new Map(apis),
  policies: new Map(policies),
  options,
});

function apply(
  next: MutableConfiguration,
  family: RecordTypeName,
  id: string,
  stored: Stored | null,
  report: ReportProblem,
): void {
  const { apis, policies, options } = next;
  if (family === "gateway")
    next.options = stored === null ? DEFAULT_OPTIONS : optionsIn(stored, options, report);
  else if (stored === null) (family === "apis" ? apis : policies).delete(id);
  else if (family === "apis") put(apis, stored, readValid(family, stored, options, report)?.api);
  else put(policies, stored, readValid(family, stored, options, report)?.policy);
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

/** The organisation of each API and policy. Their types have no field for it, because no limit uses it. */
const organisations = new WeakMap<ApiDefinition | Policy, JsonValue | undefined>();

/** The part of a configuration with the APIs and policies of one organisation. */
export function limitConfiguration(
  configuration: Configuration,
  organisation: string,
): Configuration {
  const only = <Value extends ApiDefinition | Policy>(all: ReadonlyMap<string, Value>) =>
    new Map([...all].filter(([, value]) => organisations.get(value) === organisation));
  return {
    ...configuration,
    apis: only(configuration.apis),
    policies: only(configuration.policies),
  };
}

/** Null for an invalid record, which is reported: its valid parts alone might admit clients that the whole rejects. */
export function readValid(
  family: RecordTypeName,
  stored: Stored,
  options: GatewayOptions,
  report: ReportProblem,
): ReadRecord | null {
  if (stored.isDamaged === true) return null; // damage is reported when a record is read
  const read = readStored(family, stored, options);
  const faults = read.problems.filter(({ severity }) => severity === "error");
  if (faults.length === 0) return withId(stored.id, read);
  const message = faults.map(sentence).join("; ");
  report(`the record ${family}/${stored.id} is ignored: ${message}`);
  return null;
}

/** A record has the id under which it is stored, even if its document has another one. */
const withId = (id: string, { problems, api, policy, key, options }: ReadRecord): ReadRecord => ({
  problems,
  api: api ? { ...api, id } : null,
  policy: policy ? { ...policy, id } : null,
  key: key ? { ...key, id } : null,
  options: options ?? null,
});

/** Invalid options are reported, and the previous options stay effective. */
const optionsIn = (stored: Stored, before: GatewayOptions, report: ReportProblem): GatewayOptions =>
  readValid("gateway", stored, before, report)?.options ?? before;
