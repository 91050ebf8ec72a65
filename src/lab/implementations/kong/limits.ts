// The limits of the plugins rate-limiting and rate-limiting-advanced of Kong 3. By their documentation, and for the
// first one by the source of its handler: each period is a window of the calendar in UTC, and a request that one period
// refuses is counted by none. The advanced one has windows of any length, which slide unless they are fixed; each of
// them counts a refused request too.
import { formatDuration, micros, SECOND } from "../../../kit/units.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import type { ReadRule } from "../reading.ts";
import { decode, pathOf } from "../request-parts.ts";
import { sharingOfStore } from "../rule-parts.ts";
import type { Source } from "../sources.ts";
import { WHOLE_FROM_1, type YamlReader } from "../yaml-reader.ts";
import { type YamlNode } from "../yaml-tree.ts";

export const LIMITING = /^rate-limiting(?:-advanced)?$/;

/** A limit, before its requests are known. */
export interface KongLimit extends Pick<
  ReadRule,
  "line" | "limit" | "options" | "status" | "sendsRemaining" | "sharesCounters"
> {
  readonly name: string;
  readonly clientOf: Source;
  readonly namespace: string; // limits of a namespace count together; empty: it has none
  /** Whether it counts a request that another limit of the plugin refuses. */
  readonly countsAll: boolean;
}

/** How clients are identified, besides by parts of the request. Null: the request has none. */
export interface KongClients {
  readonly consumer: Source;
  readonly group: Source;
  readonly service: Source;
}

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  month: 2_592_000,
  year: 31_536_000,
};

const OTHER_CONFIG =
  /^(?:fault_tolerant|error_message|redis|redis_\w+|sync_rate|retry_after_jitter_max|dictionary_name|lock_dictionary_name)$/;
const BY = ["header_name", "path", "error_code", "hide_client_headers"];

const ABOVE_0 = { test: (value: number) => value > 0, words: "a number above 0" };

const CALENDAR_WINDOW = optionsFrom({
  algorithm: "fixed_window",
  fixed_window_start: "clock",
  imitate: { refused: "free" },
});

export function readPeriods(
  reader: YamlReader,
  node: YamlNode,
  config: YamlNode | undefined,
  clients: KongClients,
): readonly KongLimit[] {
  reader.noteOthers(config, [...Object.keys(SECONDS), ...BY, "limit_by", "policy"], OTHER_CONFIG);
  if (!Object.keys(SECONDS).some((period) => config?.fields?.has(period)))
    reader.fail(node, "rate-limiting has no limit; write one, such as minute: 60");
  const shared = sharingOfStore(reader.text(config, "policy"));
  const common = { ...shared, ...commonOf(reader, config, "limit_by", clients) };
  return Object.entries(SECONDS).flatMap(([period, seconds]): readonly KongLimit[] => {
    const rate = reader.number(config, period, ABOVE_0);
    if (rate === null) return [];
    const field = config!.fields!.get(period)!;
    if (period === "month" || period === "year")
      reader.misunderstand(
        field,
        `Kong counts by the calendar; windows of ${seconds / SECONDS["day"]!} days since 1970 are taken`,
      );
    const limit = { rate: Math.ceil(rate), perUs: micros(seconds * SECOND) };
    return [
      {
        ...common,
        name: `each ${period}`,
        line: field.line,
        limit,
        options: CALENDAR_WINDOW,
        namespace: "",
        countsAll: false,
      },
    ];
  });
}

const READ_WINDOWS = [
  ..."limit window_size window_type identifier strategy namespace disable_penalty".split(" "),
  ...BY,
];

export function readWindows(
  reader: YamlReader,
  node: YamlNode,
  config: YamlNode | undefined,
  clients: KongClients,
): readonly KongLimit[] {
  reader.noteOthers(config, READ_WINDOWS, OTHER_CONFIG);
  const numbers = (name: string): readonly number[] =>
    reader.texts(config, name).flatMap((text) => {
      const value = Number(text);
      if (text !== "" && ABOVE_0.test(value)) return [value];
      reader.fail(config!.fields!.get(name)!, `${name} has "${text}"; write ${ABOVE_0.words}`);
      return [];
    });
  const [limits, sizes] = [numbers("limit"), numbers("window_size")];
  if (limits.length === 0 || limits.length !== sizes.length) {
    reader.fail(
      node,
      `rate-limiting-advanced has ${limits.length} of limit and ${sizes.length} of window_size; write as many of both`,
    );
    return [];
  }
  const isFixed = reader.text(config, "window_type") === "fixed";
  const isFree = !isFixed && reader.text(config, "disable_penalty") === "true";
  const shared = sharingOfStore(reader.text(config, "strategy") || "local");
  const namespace = reader.text(config, "namespace");
  const common = { ...shared, ...commonOf(reader, config, "identifier", clients) };
  const options = optionsFrom({
    ...(isFixed
      ? { algorithm: "fixed_window", fixed_window_start: "clock" }
      : { algorithm: "sliding_window_counter" }),
    imitate: { refused: isFree ? "free" : "counted" },
  });
  return limits.map((rate, index) => {
    const perUs = micros(Math.round(sizes[index]! * SECOND));
    return {
      ...common,
      name: `each ${formatDuration(perUs)}`,
      line: config!.fields!.get("limit")!.line,
      limit: { rate: Math.ceil(rate), perUs },
      options,
      namespace,
      countsAll: !isFree,
    };
  });
}

function commonOf(
  reader: YamlReader,
  config: YamlNode | undefined,
  field: "limit_by" | "identifier",
  clients: KongClients,
): Pick<KongLimit, "clientOf" | "status" | "sendsRemaining"> {
  for (const name of ["header_name", "path"]) reader.field(config, name);
  return {
    clientOf: clientSource(reader, config, field, clients),
    status: reader.number(config, "error_code", WHOLE_FROM_1) ?? 429,
    sendsRemaining: reader.text(config, "hide_client_headers") !== "true",
  };
}

/** Whatever a request does not have, its address is in place of it. */
function clientSource(
  reader: YamlReader,
  config: YamlNode | undefined,
  field: "limit_by" | "identifier",
  { consumer, group, service }: KongClients,
): Source {
  const by = reader.text(config, field) || "consumer";
  const or =
    (source: Source): Source =>
    (request) => {
      const own = source(request);
      return own === null ? `address ${request.address}` : `${by} ${own}`;
    };
  if (by === "ip") return or(() => null);
  if (by === "consumer" || by === "credential") return or(consumer);
  if (by === "consumer-group") return or(group);
  if (by === "service") return or(service);
  if (by === "header") return or(reader.headerSource(reader.text(config, "header_name")));
  if (by === "path") {
    const path = reader.text(config, "path");
    return or((request) => (decode(pathOf(request)) === path ? path : null));
  }
  reader.fail(
    config!.fields!.get(field)!,
    `${field} is "${by}"; write consumer, credential, ip, service, header, path or consumer-group`,
  );
  return () => null;
}
