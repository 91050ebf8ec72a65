// Reads the structured fields of the drafts: policies, and both forms of RateLimit.
import {
  NO_VALUES,
  type AdvertisedBudget,
  type DialectReading,
  type ReceivedHeader,
  type HeaderFinding,
} from "./advertised.ts";
import {
  findParameter,
  isSyntaxProblem,
  parseDictionary,
  parseList,
  type BareItem,
  type FieldMember,
  type SyntaxProblem,
} from "./structured.ts";
import { addFinding, findListField, show, type FieldSource } from "./values.ts";

type Headers = readonly ReceivedHeader[];

const seconds = (value: number | null): AdvertisedBudget["reset"] =>
  value === null ? null : { form: "seconds", isAbsolute: false, seconds: value };

function report(source: FieldSource, { column, message }: SyntaxProblem): null {
  return addFinding(source, "LINT-SYNTAX", column, [
    `${source.header} is ${show(source.value)}: ${message}`,
    "follow the grammar of structured fields (RFC 9651)",
  ]);
}

/** Reads a non-negative integer; messages call it `what`. */
function countOf(source: FieldSource, item: BareItem, what: string, least = 0): number | null {
  if (item.kind === "integer" && item.value >= least) return item.value;
  const kind = item.kind === "integer" ? String(item.value) : `a value of the type ${item.kind}`;
  return addFinding(source, "LINT-SYNTAX", item.column, [
    `${what} of ${source.header} is ${kind}, and must be an integer from ${least}`,
    `send it without quotes, a fraction or a unit`,
  ]);
}

function parameterCount(
  source: FieldSource,
  { parameters }: Pick<FieldMember, "parameters">,
  name: string,
  least = 0,
): number | null {
  const same = parameters.filter((each) => each.name === name);
  if (same.length > 1)
    addFinding(source, "LINT-DUPLICATE", same[1]!.column, [
      `${name} is present twice in one item of ${source.header}`,
      "send it once",
    ]);
  const parameter = findParameter(parameters, name);
  return parameter === undefined ? null : countOf(source, parameter.item, name, least);
}

interface IntegerPolicy {
  readonly limit: number | null;
  readonly windowS: number | null;
  readonly column: number;
}

const readPolicy = (source: FieldSource, member: FieldMember, what: string): IntegerPolicy => ({
  limit: countOf(source, member.item, what),
  windowS: parameterCount(source, member, "w", 1),
  column: member.column,
});

/** The window of the only policy with this limit; null if there is none or several. */
function windowOf(
  source: FieldSource,
  limit: number | null,
  policies: readonly IntegerPolicy[],
  [column, fix]: readonly [column: number, fix: string],
): number | null {
  const same = policies.filter((policy) => policy.limit === limit);
  if (limit !== null && policies.length > 0 && same.length === 0)
    addFinding(
      source,
      "LINT-RANGE",
      column,
      [`${source.header} is ${show(source.value)}: no policy has the limit ${limit}`, fix],
      "warning",
    );
  return same.length === 1 ? same[0]!.windowS : null;
}

/** `100, 100;w=60, 1000;w=3600`: the limit that applies now, and the policies (draft 03, Envoy). */
export function readLimitWithPolicies(source: FieldSource): AdvertisedBudget {
  const members = parseList(source.value);
  if (isSyntaxProblem(members)) {
    report(source, members);
    return NO_VALUES;
  }
  const [first, ...policies] = members;
  if (first === undefined) {
    report(source, { column: 1, message: "the value is empty" });
    return NO_VALUES;
  }
  const limit = countOf(source, first.item, "the limit");
  const windowS = windowOf(
    source,
    limit,
    policies.map((policy) => readPolicy(source, policy, "a policy")),
    [first.column, "begin with the limit of one of the policies"],
  );
  return { ...NO_VALUES, limit, windowS: parameterCount(source, first, "w", 1) ?? windowS };
}

/** `RateLimit-Policy: 100;w=60, 1000;w=3600` of the drafts 05 to 07. */
export function readIntegerPolicies(
  headers: Headers,
  limit: number | null,
  findings: HeaderFinding[],
): { readonly source: FieldSource | null; readonly windowS: number | null } {
  const source = findListField(headers, "ratelimit-policy", findings);
  // A policy with a name is from a later draft, whose headers a server may send at the same time.
  if (source === null || !/^\s*-?\d/.test(source.value)) return { source: null, windowS: null };
  const members = parseList(source.value);
  if (isSyntaxProblem(members)) {
    report(source, members);
    return { source, windowS: null };
  }
  const policies = members.map((member) => readPolicy(source, member, "the quota"));
  for (const { windowS, column } of policies)
    if (windowS === null)
      addFinding(
        source,
        "LINT-MISSING",
        column,
        [`a policy of ${source.header} has no window`, "add the seconds of its window: 100;w=60"],
        "warning",
      );
  const at = [policies[0]?.column ?? 1, "send the policy that applies"] as const;
  return { source, windowS: windowOf(source, limit, policies, at) };
}

const isDictionary = (text: string): boolean => /^\s*(?:limit|remaining|reset)\s*=/i.test(text);

/** `RateLimit: limit=100, remaining=50, reset=5` of draft 07. */
export function readDraft07(headers: Headers): DialectReading | null {
  const findings: HeaderFinding[] = [];
  const source = findListField(headers, "ratelimit", findings);
  if (source === null || !isDictionary(source.value)) return null;
  const members = parseDictionary(source.value);
  const budget = isSyntaxProblem(members)
    ? (report(source, members), NO_VALUES)
    : inDictionary(source, members);
  const policy = readIntegerPolicies(headers, budget.limit, findings);
  return {
    dialect: "ratelimit-07",
    headers: [source, policy.source].filter((each) => each !== null).map(({ header }) => header),
    budgets: [{ ...budget, windowS: policy.windowS }],
    retryAfter: null,
    findings,
  };
}

function inDictionary(source: FieldSource, members: readonly FieldMember[]): AdvertisedBudget {
  const parameter = members.flatMap(({ parameters }) => parameters)[0];
  if (parameter !== undefined && ["limit", "remaining", "reset"].includes(parameter.name))
    addFinding(source, "LINT-SYNTAX", parameter.column - 1, [
      `${source.header} is ${show(source.value)}: ${parameter.name} follows a semicolon`,
      "separate the parts by commas: limit=5, remaining=4, reset=1",
    ]);
  const value = (name: string): number | null => {
    const same = members.filter((member) => member.name === name);
    if (same.length > 1)
      addFinding(source, "LINT-DUPLICATE", same[1]!.column, [
        `${source.header} has ${name} twice`,
        "send it once",
      ]);
    const last = same.at(-1);
    if (last !== undefined) return countOf(source, last.item, name);
    return addFinding(
      source,
      "LINT-MISSING",
      null,
      [`${source.header} has no ${name}`, `add ${name}=5`],
      "warning",
    );
  };
  const [limit, remaining, reset] = [value("limit"), value("remaining"), value("reset")];
  return { ...NO_VALUES, limit, remaining, reset: seconds(reset) };
}

/** `RateLimit: "default";r=50;t=30` and `RateLimit-Policy: "default";q=100;w=60` of the drafts 08 to 11. */
export function readDraft08(headers: Headers): DialectReading | null {
  const findings: HeaderFinding[] = [];
  const state = findListField(headers, "ratelimit", findings);
  const policy = findListField(headers, "ratelimit-policy", findings);
  const mine = [
    state !== null && !isDictionary(state.value) ? state : null,
    policy !== null && !/^\s*-?\d/.test(policy.value) ? policy : null,
  ] as const;
  const sources = mine.filter((source) => source !== null);
  if (sources.length === 0) return null;
  const policies = membersOf(mine[1]).map(({ source, member, name }) => ({
    name,
    limit: requireCount(source, member, "q"),
    windowS: parameterCount(source, member, "w", 1),
  }));
  const states = membersOf(mine[0]).map(({ source, member, name }) => {
    const own = policies.find((each) => each.name === name);
    if (own === undefined && mine[1] !== null)
      addFinding(source, "LINT-RANGE", member.column, [
        `${source.header} has the policy ${show(name)}, which RateLimit-Policy does not have`,
        "use the same names in both headers",
      ]);
    return {
      name,
      limit: own?.limit ?? null,
      windowS: own?.windowS ?? null,
      remaining: requireCount(source, member, "r"),
      reset: seconds(parameterCount(source, member, "t")),
    };
  });
  const others = policies.filter(({ name }) => !states.some((each) => each.name === name));
  return {
    dialect: "ratelimit-08",
    headers: sources.map(({ header }) => header),
    budgets: [
      ...states,
      ...others.map(({ name, limit, windowS }) => ({ ...NO_VALUES, name, limit, windowS })),
    ],
    retryAfter: null,
    findings,
  };
}

interface NamedMember {
  readonly source: FieldSource;
  readonly member: FieldMember;
  readonly name: string;
}

/** Policies have quoted names. A policy without quotes is read too, so that its other parts are checked. */
function membersOf(source: FieldSource | null): readonly NamedMember[] {
  if (source === null) return [];
  const members = parseList(source.value);
  if (isSyntaxProblem(members)) {
    report(source, members);
    return [];
  }
  if (members.length === 0) report(source, { column: 1, message: "the value is empty" });
  const named = members.map((member) => {
    const { item } = member;
    if (item.kind !== "string")
      addFinding(source, "LINT-SYNTAX", item.column, [
        `${source.header} is ${show(source.value)}: the name of a policy is a string`,
        `write it in quotes: "${String(item.value)}"`,
      ]);
    checkTypes(source, member);
    return { source, member, name: String(item.value) };
  });
  for (const [index, { member, name }] of named.entries())
    if (named.slice(0, index).some((each) => isSame(each, { source, member, name })))
      addFinding(source, "LINT-DUPLICATE", member.column, [
        `${source.header} has the policy ${show(name)} twice`,
        "give each policy a name of its own",
      ]);
  return named;
}

/** A policy with a partition key may occur once for each partition. */
const isSame = (a: NamedMember, b: NamedMember): boolean =>
  a.name === b.name && partitionKey(a.member) === partitionKey(b.member);

const partitionKey = ({ parameters }: FieldMember): unknown =>
  findParameter(parameters, "pk")?.item.value ?? null;

function requireCount(source: FieldSource, member: FieldMember, name: string): number | null {
  if (findParameter(member.parameters, name) !== undefined)
    return parameterCount(source, member, name);
  return addFinding(source, "LINT-MISSING", member.column, [
    `an item of ${source.header} has no ${name}, which is required`,
    `add ;${name}=5`,
  ]);
}

/** Checks the types of parameters that are no numbers. */
function checkTypes(source: FieldSource, { parameters }: FieldMember): void {
  const key = findParameter(parameters, "pk")?.item;
  if (key !== undefined && key.kind !== "bytes")
    addFinding(source, "LINT-SYNTAX", key.column, [
      `pk of ${source.header} is a value of the type ${key.kind}, and must be bytes`,
      "write it in base64 between colons: pk=:c2Vzc2lvbg==:",
    ]);
  const unit = findParameter(parameters, "qu")?.item;
  if (unit !== undefined && unit.kind !== "string")
    addFinding(source, "LINT-SYNTAX", unit.column, [
      `qu of ${source.header} is a value of the type ${unit.kind}, and must be a string`,
      'write it in quotes: qu="requests"',
    ]);
}
