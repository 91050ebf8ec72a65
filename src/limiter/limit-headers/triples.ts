// Dialects with three headers: limit, remaining and reset.
import {
  NO_VALUES,
  type AdvertisedTime,
  type DialectId,
  type DialectReading,
  type ReceivedHeader,
  type HeaderFinding,
} from "./advertised.ts";
import { readIntegerPolicies, readLimitWithPolicies } from "./policies.ts";
import {
  addFinding,
  findField,
  findListField,
  readAnyTime,
  readCount,
  readSeconds,
  show,
  type FieldSource,
} from "./values.ts";

type Headers = readonly ReceivedHeader[];

/** `X-RateLimit-*`: other headers and the form of the limit show which product sends them. */
export function readXRateLimit(headers: Headers): DialectReading | null {
  const has = (name: string): boolean => headers.some(([each]) => each.toLowerCase() === name);
  const limit = headers.find(([name]) => name.toLowerCase() === "x-ratelimit-limit")?.[1] ?? "";
  if (has("x-ratelimit-reset-after")) return readDiscord(headers);
  if (has("x-ratelimit-used") || has("x-ratelimit-resource")) return readGitHub(headers);
  if (/;\s*w\s*=/.test(limit)) return readEnvoy(headers);
  return readTriple(headers, { dialect: "x-ratelimit", prefix: "x-ratelimit", reset: readAnyTime });
}

/** `X-Rate-Limit-*`: Twitter and Okta both send a Unix time as reset. */
export const readXRateLimitOfTwitter = (headers: Headers): DialectReading | null =>
  readTriple(headers, {
    dialect: "x-rate-limit",
    prefix: "x-rate-limit",
    reset: (source) =>
      withForm(source, readAnyTime(source), ["Unix seconds"], "Twitter and Okta", "warning"),
  });

interface Triple {
  readonly dialect: DialectId;
  readonly prefix: string;
  readonly reset: (source: FieldSource) => AdvertisedTime | null;
}

function readTriple(headers: Headers, { dialect, prefix, reset }: Triple): DialectReading | null {
  const findings: HeaderFinding[] = [];
  const find = (part: string): FieldSource | null =>
    findField(headers, `${prefix}-${part}`, findings);
  const sources = { limit: find("limit"), remaining: find("remaining"), reset: find("reset") };
  const present = Object.values(sources).filter((source) => source !== null);
  if (present.length === 0) return null;
  return {
    dialect,
    headers: present.map(({ header }) => header),
    budgets: [
      {
        ...NO_VALUES,
        limit: sources.limit && readCount(sources.limit),
        remaining: sources.remaining && readCount(sources.remaining),
        reset: sources.reset && reset(sources.reset),
      },
    ],
    retryAfter: null,
    findings,
  };
}

function withForm(
  source: FieldSource,
  time: AdvertisedTime | null,
  forms: readonly AdvertisedTime["form"][],
  product: string,
  severity: HeaderFinding["severity"] = "error",
): AdvertisedTime | null {
  if (time !== null && !forms.includes(time.form))
    addFinding(
      source,
      "LINT-FORM",
      1,
      [
        `${source.header} is ${show(source.value)} (${time.form}), and clients of ${product} expect ${forms[0]}`,
        `send ${forms[0]}`,
      ],
      severity,
    );
  return time;
}

/** Reads GitHub's headers. The reset is a Unix time; used and remaining requests must add up to the limit. */
function readGitHub(headers: Headers): DialectReading | null {
  const reading = readTriple(headers, {
    dialect: "github",
    prefix: "x-ratelimit",
    reset: (source) => withForm(source, readAnyTime(source), ["Unix seconds"], "GitHub"),
  });
  const findings: HeaderFinding[] = [...(reading?.findings ?? [])];
  const used = findField(headers, "x-ratelimit-used", findings);
  const resource = findField(headers, "x-ratelimit-resource", findings);
  const budget = reading?.budgets[0] ?? NO_VALUES;
  const count = used && readCount(used);
  if (used !== null && count !== null && budget.limit !== null && budget.remaining !== null) {
    const isOver = count > budget.limit && budget.remaining === 0;
    if (count + budget.remaining !== budget.limit && !isOver)
      addFinding(used, "LINT-RANGE", 1, [
        `${used.header} is ${count} and ${budget.remaining} remain, which is not the limit of ${budget.limit}`,
        "let used and remaining add up to the limit",
      ]);
  }
  const more = [used, resource].filter((source) => source !== null).map(({ header }) => header);
  return {
    dialect: "github",
    headers: [...(reading?.headers ?? []), ...more],
    budgets: [{ ...budget, name: resource?.value ?? null }],
    retryAfter: null,
    findings,
  };
}

/** Reset is a Unix time with fractions. Reset-After is a wait with fractions, and takes precedence. */
function readDiscord(headers: Headers): DialectReading | null {
  const findings: HeaderFinding[] = [];
  const reading = readTriple(headers, {
    dialect: "discord",
    prefix: "x-ratelimit",
    reset: (source) =>
      withForm(
        source,
        readAnyTime(source),
        ["Unix seconds with a fraction", "Unix seconds"],
        "Discord",
      ),
  });
  const after = findField(headers, "x-ratelimit-reset-after", findings)!;
  const bucket = findField(headers, "x-ratelimit-bucket", findings);
  const wait = withForm(
    after,
    readAnyTime(after),
    ["seconds with a fraction", "seconds"],
    "Discord",
  );
  const budget = reading?.budgets[0] ?? NO_VALUES;
  const more = [after, bucket].filter((source) => source !== null).map(({ header }) => header);
  return {
    dialect: "discord",
    headers: [...(reading?.headers ?? []), ...more],
    budgets: [{ ...budget, name: bucket?.value ?? null, reset: wait ?? budget.reset }],
    retryAfter: null,
    findings: [...(reading?.findings ?? []), ...findings],
  };
}

/** Envoy's form of draft 03 with another prefix: the policies follow the limit. */
function readEnvoy(headers: Headers): DialectReading | null {
  const findings: HeaderFinding[] = [];
  const limit = findListField(headers, "x-ratelimit-limit", findings)!;
  const remaining = findField(headers, "x-ratelimit-remaining", findings);
  const reset = findField(headers, "x-ratelimit-reset", findings);
  const sources = [limit, remaining, reset].filter((source) => source !== null);
  const values = readLimitWithPolicies(limit);
  return {
    dialect: "envoy",
    headers: sources.map(({ header }) => header),
    budgets: [
      {
        ...values,
        remaining: remaining && readCount(remaining),
        reset: reset && readSeconds(reset),
      },
    ],
    retryAfter: null,
    findings,
  };
}

/** `RateLimit-Limit`, `-Remaining` and `-Reset` of drafts 03 to 06; drafts 05 and 06 add a list of policies. */
export function readDraft03(headers: Headers): DialectReading | null {
  const findings: HeaderFinding[] = [];
  const limit = findListField(headers, "ratelimit-limit", findings);
  const remaining = findField(headers, "ratelimit-remaining", findings);
  const reset = findField(headers, "ratelimit-reset", findings);
  if (limit === null && remaining === null && reset === null) return null;
  const values = limit === null ? NO_VALUES : readLimitWithPolicies(limit);
  const policy = readIntegerPolicies(headers, values.limit, findings);
  const sources = [limit, remaining, reset, policy.source].filter((source) => source !== null);
  for (const [source, name] of [
    [limit, "RateLimit-Limit"],
    [reset, "RateLimit-Reset"],
  ] as const)
    if (source === null)
      addFinding(
        { header: name, findings },
        "LINT-MISSING",
        null,
        [`${name} is absent, and clients of these drafts need it`, `send ${name} too`],
        "warning",
      );
  return {
    dialect: "ratelimit-03",
    headers: sources.map(({ header }) => header),
    budgets: [
      {
        ...values,
        windowS: values.windowS ?? policy.windowS,
        remaining: remaining && readCount(remaining),
        reset: reset && readSeconds(reset),
      },
    ],
    retryAfter: null,
    findings,
  };
}

const SUFFIXED = /^x-ratelimit-(limit|remaining|reset)-([a-z0-9-]+)$/;
const PERIODS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
};

/** `X-RateLimit-Limit-Minute` and similar headers: one budget for each suffix. */
export function readSuffixed(headers: Headers): DialectReading | null {
  const findings: HeaderFinding[] = [];
  const mine = headers.flatMap(([header]) => {
    const [, part, suffix] = SUFFIXED.exec(header.toLowerCase()) ?? [];
    return part === undefined || suffix === undefined ? [] : [{ header, suffix }];
  });
  const suffixes = [...new Set(mine.map(({ suffix }) => suffix))].filter(
    (suffix) => suffix !== "after",
  );
  if (suffixes.length === 0) return null;
  const budgets = suffixes.map((name) => {
    const find = (part: string): FieldSource | null =>
      findField(headers, `x-ratelimit-${part}-${name}`, findings);
    const [limit, remaining, reset] = [find("limit"), find("remaining"), find("reset")];
    return {
      name,
      windowS: PERIODS[name] ?? null,
      limit: limit && readCount(limit),
      remaining: remaining && readCount(remaining),
      reset: reset && readAnyTime(reset),
    };
  });
  return {
    dialect: "kong",
    headers: [...new Set(mine.map(({ header }) => header))],
    budgets,
    retryAfter: null,
    findings,
  };
}

/** `32/40`: the number of used requests, and the size of the bucket. */
export function readShopify(headers: Headers): DialectReading | null {
  const findings: HeaderFinding[] = [];
  const source = findField(headers, "x-shopify-shop-api-call-limit", findings);
  if (source === null) return null;
  const [, used, limit] = /^(\d{1,9})\/(\d{1,9})$/.exec(source.value) ?? [];
  if (used === undefined)
    addFinding(source, "LINT-SYNTAX", 1, [
      `${source.header} is ${show(source.value)}, and clients expect used/limit`,
      `send ${source.header}: 32/40`,
    ]);
  else if (Number(used) > Number(limit))
    addFinding(source, "LINT-RANGE", 1, [
      `${source.header} is ${show(source.value)}: more was used than the limit`,
      "count admitted requests only",
    ]);
  const remaining = used === undefined ? null : Math.max(0, Number(limit) - Number(used));
  return {
    dialect: "shopify",
    headers: [source.header],
    budgets: [{ ...NO_VALUES, limit: used === undefined ? null : Number(limit), remaining }],
    retryAfter: null,
    findings,
  };
}
