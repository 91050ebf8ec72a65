// The plugins limit-count and limit-req of APISIX 3, by their documentation and the source of their limiters in memory:
// limit-count has windows that begin with a request, or two windows of the clock with weights; limit-req is the limiter
// of nginx. A refused request is counted by neither.
import { micros, SECOND } from "../../../kit/units.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import type { ReadRule, RequestFacts } from "../reading.ts";
import { sharingOfStore } from "../rule-parts.ts";
import type { Source } from "../sources.ts";
import { WHOLE_FROM_1, type YamlReader } from "../yaml-reader.ts";
import { textIn, type YamlNode } from "../yaml-tree.ts";
import { variableSource } from "./routes.ts";

export interface ApisixLimit extends Pick<
  ReadRule,
  | "limit"
  | "written"
  | "cost"
  | "options"
  | "undelayed"
  | "line"
  | "status"
  | "sendsRemaining"
  | "sharesCounters"
> {
  readonly name: string; // of the plugin, and the key of its rule
  readonly group: string; // limits of a group count together; empty: it has none
  readonly clientOf: Source;
}

const OTHER_FIELDS =
  /^(?:redis_\w+|sentinel_\w+|rejected_msg|allow_degradation|sync_interval|_meta|disable|key_ttl|limit_header|remaining_header|reset_header)$/;

export function readCount(
  reader: YamlReader,
  node: YamlNode,
  consumerOf: Source,
): readonly ApisixLimit[] {
  const read = [
    "count",
    "time_window",
    "window_type",
    "rules",
    "group",
    "key",
    "key_type",
    "policy",
    "show_limit_quota_header",
  ];
  reader.noteOthers(node, [...read, "rejected_code"], OTHER_FIELDS);
  const status = reader.number(node, "rejected_code", WHOLE_FROM_1) ?? 503;
  const isSliding = reader.text(node, "window_type") === "sliding";
  const group = reader.text(node, "group");
  const shared = sharingOfStore(reader.text(node, "policy"));
  const sendsRemaining = reader.text(node, "show_limit_quota_header") !== "false";
  const limitOf = (place: YamlNode, clientOf: Source, name: string): readonly ApisixLimit[] => {
    const count = numberIn(reader, place, "count");
    const seconds = numberIn(reader, place, "time_window");
    if (count === null || seconds === null) return [];
    const limit = { rate: count, perUs: micros(seconds * SECOND) };
    const options = isSliding ? TWO_WINDOWS : FIXED_WINDOW;
    const { line } = reader.find(place, "count")!;
    // The headers of several rules have names of their own.
    const isSent = sendsRemaining && place === node;
    return [
      { name, group, line, status, limit, options, clientOf, sendsRemaining: isSent, ...shared },
    ];
  };
  const rules = reader.list(node, "rules");
  for (const rule of rules) {
    reader.notes.note(rule, "read");
    reader.noteOthers(rule, read, /^header_prefix$/);
  }
  if (rules.length === 0) return limitOf(node, keySource(reader, node, consumerOf), "limit-count");
  return rules.flatMap((rule) => {
    const key = reader.text(rule, "key");
    return limitOf(rule, combination(reader, rule, key, consumerOf), `limit-count ${key}`);
  });
}

export function readReq(
  reader: YamlReader,
  node: YamlNode,
  consumerOf: Source,
): readonly ApisixLimit[] {
  reader.noteOthers(
    node,
    ["rate", "burst", "key", "key_type", "rejected_code", "policy", "nodelay"],
    OTHER_FIELDS,
  );
  const rate = reader.number(node, "rate", ABOVE_0);
  const burst = reader.number(node, "burst", FROM_0) ?? 0;
  const status = reader.number(node, "rejected_code", WHOLE_FROM_1) ?? 503;
  if (rate === null) {
    if (reader.find(node, "rate") === undefined)
      reader.fail(node, "limit-req has no rate; write one, such as rate: 10");
    return [];
  }
  // nginx counts thousandths of a request.
  const optionsOf = (most: number): ReadRule["options"] =>
    optionsFrom({
      algorithm: "gcra",
      burst: Math.round(1_000 * (most + 1)),
      imitate: { clock_resolution: "1ms" },
    });
  const isDelayed = burst > 0 && reader.text(node, "nodelay") !== "true";
  return [
    {
      name: "limit-req",
      group: "",
      line: reader.find(node, "rate")!.line,
      status,
      limit: { rate: Math.round(1_000 * rate), perUs: SECOND },
      written: `${rate} per 1s, burst ${burst}`,
      cost: 1_000,
      options: optionsOf(burst),
      ...(isDelayed ? { undelayed: optionsOf(0) } : {}),
      ...sharingOfStore(reader.text(node, "policy")),
      clientOf: keySource(reader, node, consumerOf),
    },
  ];
}

const ABOVE_0 = { test: (value: number) => value >= 0.001, words: "a number above 0" };
const FROM_0 = { test: (value: number) => value >= 0, words: "a number of at least 0" };

const FIXED_WINDOW = optionsFrom({
  algorithm: "fixed_window",
  fixed_window_start: "first_request",
});
const TWO_WINDOWS = optionsFrom({ algorithm: "sliding_window_counter" });

/** A number, or an expression such as ${http_x_count ?? 10}, which is a question. */
function numberIn(reader: YamlReader, node: YamlNode, name: string): number | null {
  const field = reader.find(node, name);
  const text = textIn(field);
  if (field === undefined) {
    reader.fail(node, `limit-count has no ${name}; write one, such as ${name}: 60`);
    return null;
  }
  if (!text.includes("$")) return reader.number(node, name, WHOLE_FROM_1);
  const [, otherwise = "1"] = /\?\?\s*(\d+)\s*\}$/.exec(text) ?? [];
  const taken = reader.take(`${name}_at_line_${field.line}`, otherwise, field);
  reader.notes.note(field, "question", `requests have their own ${name}; ${taken} is taken`);
  const value = Number(taken);
  if (WHOLE_FROM_1.test(value)) return value;
  reader.fail(field, `--set ${name}_at_line_${field.line}=${taken}: write ${WHOLE_FROM_1.words}`);
  return null;
}

const addressOf = ({ address }: RequestFacts): string => `address ${address}`;

/** The address is in place of an empty key. */
function keySource(reader: YamlReader, node: YamlNode, consumerOf: Source): Source {
  const type = reader.text(node, "key_type") || "var";
  const key = reader.text(node, "key") || "remote_addr";
  if (type === "constant") return () => key;
  if (type === "var_combination") {
    const source = combination(reader, node, key, consumerOf);
    return (request) => source(request) ?? addressOf(request);
  }
  if (type !== "var")
    reader.fail(
      reader.find(node, "key_type")!,
      `key_type is "${type}"; write var, var_combination or constant`,
    );
  const source = variableOf(reader, node, key.replace(/^\$/, ""), consumerOf);
  return (request) => source(request) || addressOf(request);
}

/** Null: the request has none of the variables. */
function combination(reader: YamlReader, node: YamlNode, key: string, consumerOf: Source): Source {
  const parts = key
    .split(/\$\{?(\w+)\}?/)
    .map((part, index) => (index % 2 === 0 ? part : variableOf(reader, node, part, consumerOf)));
  return (request) => {
    const values = parts.map((part) => (typeof part === "string" ? part : part(request)));
    const isFound = parts.some((part, index) => typeof part !== "string" && values[index]);
    return isFound ? values.join("") : null;
  };
}

function variableOf(reader: YamlReader, node: YamlNode, name: string, consumerOf: Source): Source {
  if (name === "consumer_name") return consumerOf;
  return (
    variableSource(reader, name) ??
    reader.takeSource(name, "all", reader.find(node, "key") ?? node, `a log does not have $${name}`)
  );
}
