// The middleware rateLimit of Traefik 2 and 3, by its documentation and the source of its limiter in memory: a token
// bucket, in which a request may wait for the rest of a token for at most half the time that one takes, and at most
// half a second. Such a wait is an admission here.
import { formatDuration, micros, SECOND, type Micros } from "../../../kit/units.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import { parseGoDuration } from "../durations.ts";
import { parseNetwork } from "../networks.ts";
import type { ReadRule, RequestFacts } from "../reading.ts";
import type { Source } from "../sources.ts";
import { WHOLE_FROM_0, type YamlReader } from "../yaml-reader.ts";
import { textIn, type YamlNode } from "../yaml-tree.ts";

export interface TraefikLimit extends Pick<
  ReadRule,
  "limit" | "written" | "cost" | "options" | "undelayed" | "sharesCounters"
> {
  readonly node: YamlNode; // its average
  readonly clientOf: Source;
}

const READ = ["average", "period", "burst", "sourceCriterion", "redis"];

/** Null: it has no limit, or a problem was noted. */
export function readLimit(reader: YamlReader, node: YamlNode, name: string): TraefikLimit | null {
  reader.noteOthers(node, READ, /^$/);
  const redis = reader.field(node, "redis");
  if (redis !== undefined) reader.notes.noteAll(redis, "irrelevant");
  const average = reader.number(node, "average", WHOLE_FROM_0) ?? 0;
  const burst = Math.max(reader.number(node, "burst", WHOLE_FROM_0) ?? 1, 1);
  const period = reader.field(node, "period");
  const periodUs = period === undefined ? SECOND : parseGoDuration(textIn(period));
  const clientOf = readSource(reader, reader.field(node, "sourceCriterion"), name);
  if (periodUs === null) {
    reader.fail(period!, `period is "${textIn(period)}"; write a duration such as 1m`);
    return null;
  }
  if (average === 0) return null;
  noteLifetime(reader, node, burst, (average * SECOND) / (periodUs || SECOND));
  return {
    ...bucketOf(average, micros(periodUs || SECOND), burst),
    node: reader.find(node, "average")!,
    clientOf,
    sharesCounters: redis !== undefined,
  };
}

/** Counts in parts of a token, because the rest for which a request may wait is no whole one. */
function bucketOf(
  average: number,
  perUs: Micros,
  burst: number,
): Pick<ReadRule, "limit" | "written" | "cost" | "options" | "undelayed"> {
  const perSecond = (average * SECOND) / perUs;
  const rest = perSecond < 1 ? perSecond / 2 : perSecond / (2 * Math.floor(perSecond));
  const cost = rest === 0.5 ? 2 : 1_000;
  return {
    limit: { rate: cost * average, perUs },
    written: `${average} per ${formatDuration(perUs)}, burst ${burst}`,
    cost,
    options: optionsFrom({
      algorithm: "gcra",
      burst: cost * burst + Math.round(cost * rest),
    }),
    undelayed: optionsFrom({ algorithm: "gcra", burst: cost * burst }),
  };
}

/** Traefik forgets the bucket of a client that sends nothing for this time, and starts with a full one. */
function noteLifetime(reader: YamlReader, node: YamlNode, burst: number, perSecond: number): void {
  const seconds = perSecond >= 1 ? 2 : 1 + Math.floor(1 / perSecond);
  const field = reader.find(node, "burst");
  if (field !== undefined && burst / perSecond > seconds)
    reader.misunderstand(
      field,
      `after ${seconds} s without a request Traefik starts with a full bucket, so that it refuses fewer than here`,
    );
}

const STRATEGIES = ["ipStrategy", "requestHeaderName", "requestHost"];

function readSource(reader: YamlReader, node: YamlNode | undefined, name: string): Source {
  reader.noteOthers(node, STRATEGIES, /^$/);
  const header = reader.text(node, "requestHeaderName");
  const isHost = reader.text(node, "requestHost") === "true";
  const strategy = reader.field(node, "ipStrategy");
  if (header !== "") {
    const valueOf = reader.headerSource(header);
    return (request) => valueOf(request) ?? "";
  }
  if (isHost) return (request) => reader.hostOf(request, node!);
  return strategy === undefined ? addressOf : readStrategy(reader, strategy, name);
}

const addressOf = ({ address }: RequestFacts): string => address;

function readStrategy(reader: YamlReader, node: YamlNode, name: string): Source {
  reader.noteOthers(node, ["depth", "excludedIPs", "ipv6Subnet"], /^$/);
  const prefix = reader.field(node, "ipv6Subnet");
  if (prefix !== undefined)
    reader.misunderstand(
      prefix,
      "addresses of one IPv6 network have one bucket, which is not read",
    );
  const depth = reader.number(node, "depth", WHOLE_FROM_0) ?? 0;
  const networks = reader.list(node, "excludedIPs");
  for (const each of networks)
    if (parseNetwork(textIn(each)) === null)
      reader.fail(each, `excludedIPs has "${textIn(each)}"; write an address or network`);
  if (depth === 0 && networks.length === 0) return addressOf;
  const field = reader.find(node, depth > 0 ? "depth" : "excludedIPs")!;
  const source = reader.takeSource(
    `client_of_${name}`,
    "remote_address",
    field,
    "X-Forwarded-For has the client",
  );
  return (request) => source(request) ?? "";
}
