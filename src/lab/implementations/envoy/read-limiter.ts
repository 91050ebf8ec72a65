// The configuration of one local rate limit of Envoy: its buckets, and for which requests it is enabled and enforced.
import { SECOND } from "../../../kit/units.ts";
import { childrenOf, textIn, type YamlNode } from "../yaml-tree.ts";
import { statusOf } from "../status-names.ts";
import { descriptorsOf, type DescriptorOf, type EnvoyEntry } from "./read-actions.ts";
import { fieldOf, readField, type EnvoyContext } from "./read-matchers.ts";

export interface EnvoyBucket {
  readonly node: YamlNode;
  readonly size: number;
  readonly rate: number;
  readonly perUs: number;
}

interface LocalEntry {
  readonly key: string;
  readonly value: string | null; // null: each value has a bucket
}

export interface LocalDescriptor {
  readonly entries: readonly LocalEntry[];
  readonly bucket: EnvoyBucket;
}

export interface LocalLimiter {
  readonly place: string; // names it in rules
  readonly bucket: EnvoyBucket | null;
  readonly descriptors: readonly LocalDescriptor[]; // the slowest first, as Envoy spends them
  readonly alwaysSpendsBucket: boolean;
  readonly keys: number; // the most values of an entry without a value
  readonly isDryRun: boolean;
  readonly status: number;
  readonly sendsRemaining: boolean;
  readonly ownDescriptors: readonly DescriptorOf[] | null; // null: those of the route
  readonly hostLimits: string; // OVERRIDE, INCLUDE or IGNORE
}

const LEAST_FILL_US = 50_000;
const USUAL_KEYS = 20;

const IRRELEVANT = [
  "@type",
  "stat_prefix",
  "response_headers_to_add",
  "request_headers_to_add_when_not_enforced",
  "rate_limited_as_resource_exhausted",
];

const READ = [
  "enable_x_ratelimit_headers",
  "token_bucket",
  "descriptors",
  "always_consume_default_token_bucket",
  "max_dynamic_descriptors",
  "filter_enabled",
  "filter_enforced",
  "status",
  "rate_limits",
  "vh_rate_limits",
];

/** Null: it is never enabled, so it limits nothing. */
export function limiterOf(
  node: YamlNode,
  place: string,
  context: EnvoyContext,
): LocalLimiter | null {
  const { notes } = context;
  const isOneOf = (names: readonly string[], child: YamlNode): boolean =>
    names.some((name) => fieldOf(node, name) === child);
  for (const child of childrenOf(node)) {
    if (isOneOf(IRRELEVANT, child)) notes.noteAll(child, "irrelevant");
    else if (!isOneOf(READ, child))
      notes.note(child, "not understood", "this reader does not know it in a local rate limit");
  }
  const read = (name: string): YamlNode | null => readField(node, name, context);
  const bucket = bucketOf(read("token_bucket"), context);
  const descriptors = (read("descriptors")?.items ?? []).flatMap(
    (each) => descriptorOf(each, context) ?? [],
  );
  noteOverlaps(descriptors, context);
  const keys = read("max_dynamic_descriptors")?.value;
  const status = statusOf(textIn(readField(read("status"), "code", context))) ?? 0;
  const rateLimits = fieldOf(node, "rate_limits");
  const enabled = percentOf(read("filter_enabled"), context);
  const enforced = percentOf(read("filter_enforced"), context);
  const limiter = {
    place,
    bucket,
    descriptors: descriptors.toSorted((a, b) => speedOf(a) - speedOf(b)),
    alwaysSpendsBucket: read("always_consume_default_token_bucket")?.value !== false,
    keys: typeof keys === "number" && keys >= 1 ? keys : USUAL_KEYS,
    isDryRun: enforced === 0,
    status: status >= 400 ? status : 429,
    sendsRemaining: textIn(read("enable_x_ratelimit_headers")) === "DRAFT_VERSION_03",
    ownDescriptors: rateLimits?.items?.length ? descriptorsOf(rateLimits, context) : null,
    hostLimits: textIn(read("vh_rate_limits")) || "OVERRIDE",
  };
  if (enabled > 0) return limiter;
  const shown = fieldOf(node, "filter_enabled") ?? fieldOf(node, "token_bucket");
  if (shown !== null) notes.note(shown, "read", "filter_enabled is 0 %, so that it limits nothing");
  return null;
}

const speedOf = ({ bucket: { rate, perUs } }: LocalDescriptor): number => rate / perUs;

function descriptorOf(node: YamlNode, context: EnvoyContext): LocalDescriptor | null {
  const entries = readField(node, "entries", context)?.items ?? [];
  const bucket = bucketOf(readField(node, "token_bucket", context), context);
  if (bucket === null) {
    context.fail(node, "a descriptor has no token_bucket; add one");
    return null;
  }
  const textOf = (entry: YamlNode, name: string): string => textIn(readField(entry, name, context));
  return {
    bucket,
    entries: entries.map((entry) => ({
      key: textOf(entry, "key"),
      value: textOf(entry, "value") || null,
    })),
  };
}

function bucketOf(node: YamlNode | null, context: EnvoyContext): EnvoyBucket | null {
  if (node === null) return null;
  const size = readField(node, "max_tokens", context)?.value;
  const rate = readField(node, "tokens_per_fill", context)?.value ?? 1;
  const interval = textIn(readField(node, "fill_interval", context));
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(interval) ?? [];
  const perUs = Math.round(Number(seconds) * SECOND);
  const isWhole = (value: unknown): value is number =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
  if (!isWhole(size) || !isWhole(rate))
    context.fail(node, "token_bucket needs max_tokens and tokens_per_fill, integers of at least 1");
  else if (seconds === undefined || perUs < LEAST_FILL_US)
    context.fail(node, "token_bucket has no fill_interval of at least 0.05s, such as 1s");
  else return { node, size, rate, perUs };
  return null;
}

const DENOMINATORS: Readonly<Record<string, number>> = {
  HUNDRED: 100,
  TEN_THOUSAND: 10_000,
  MILLION: 1_000_000,
};

/** A fraction of requests from 0 to 1. Left out: 0, which is Envoy's default. */
function percentOf(node: YamlNode | null, context: EnvoyContext): number {
  if (node === null) return 0;
  const value = readField(node, "default_value", context);
  const numerator = readField(value, "numerator", context)?.value ?? 0;
  const denominator = textIn(readField(value, "denominator", context)) || "HUNDRED";
  const key = readField(node, "runtime_key", context);
  if (key !== null) context.notes.note(key, "read", "the runtime may have another value");
  const fraction = Number(numerator) / (DENOMINATORS[denominator] ?? 100);
  if (fraction > 0 && fraction < 1)
    context.notes.note(
      node,
      "not understood",
      "it is by chance for a part of the requests, and here for all",
    );
  return fraction;
}

/** The name of a descriptor in rules; a request with several equal ones takes a token for each. */
export const nameOfDescriptor = ({ entries }: LocalDescriptor, time: number): string => {
  const name = entries
    .map(({ key, value }) => (value === null ? key : `${key}=${value}`))
    .join(", ");
  return time === 0 ? name : `${name}, token ${time + 1} of a request`;
};

/** The bucket of a request's descriptor. Null: it is another one, or one with all of these values comes first. */
export const budgetIn = (
  { descriptors }: LocalLimiter,
  descriptor: LocalDescriptor,
  own: readonly EnvoyEntry[],
): string | null =>
  isOpen(descriptor) && descriptors.some((each) => !isOpen(each) && budgetOf(each, own) !== null)
    ? null
    : budgetOf(descriptor, own);

/** Whether an entry has no value, so that each value has a bucket. */
const isOpen = ({ entries }: LocalDescriptor): boolean =>
  entries.some(({ value }) => value === null);

/** Names descriptors without all values of which a request may have both: Envoy takes one in no defined order. */
function noteOverlaps(descriptors: readonly LocalDescriptor[], { notes }: EnvoyContext): void {
  const open = descriptors.filter(isOpen);
  for (const [index, { entries, bucket }] of open.entries()) {
    const overlaps = open.slice(0, index).some(
      (other) =>
        other.entries.length === entries.length &&
        other.entries.every(({ key, value }, at) => {
          const own = entries[at]!;
          return key === own.key && (value === null || own.value === null || value === own.value);
        }),
    );
    if (overlaps)
      notes.note(
        bucket.node,
        "not understood",
        "a request may have this descriptor and an earlier one, and Envoy takes one of them; here it takes both",
      );
  }
}

function budgetOf({ entries }: LocalDescriptor, own: readonly EnvoyEntry[]): string | null {
  const isSame =
    entries.length === own.length &&
    entries.every(
      ({ key, value }, at) => key === own[at]!.key && (value === null || value === own[at]!.value),
    );
  return isSame ? own.map(({ key, value }) => `${key}=${value}`).join(", ") : null;
}
