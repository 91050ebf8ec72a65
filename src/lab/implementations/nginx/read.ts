// Reads the limits of nginx (ngx_http_limit_req_module) from its configuration files.
import { isOfKubernetes } from "../kubernetes/resources.ts";
import { micros, SECOND } from "../../../kit/units.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import type {
  ConfigurationReader,
  OpenQuestion,
  ReadConfiguration,
  ReadRole,
  ReadRule,
  ReadStatement,
  RequestFacts,
} from "../reading.ts";
import { maskText } from "../masked.ts";
import { IRRELEVANT, misunderstood, READ } from "../roles.ts";
import { findOnce, nameApart } from "../rule-parts.ts";
import { unreadGeo } from "./geo.ts";
import { expandIncludes } from "./includes.ts";
import type { Directive } from "./parse.ts";
import { groupNames, NginxProblem, placeProblems } from "./patterns.ts";
import {
  areLimitedAt,
  placeOfRequest,
  serversOf,
  type NginxPlace,
  type PlacedRequest,
  type Server,
} from "./places.ts";
import { isTable, roleOf } from "./roles.ts";
import { ServerChoice } from "./servers.ts";
import { burstOf, problemsOfLimits, countAtOnce, zonesOf, type Zone } from "./zones.ts";
import type { Expression } from "./request.ts";
import { expressionOf, variablesIn, type Variables } from "./variables.ts";

export const NGINX_READER: ConfigurationReader = {
  kind: "nginx",
  isProvedBy: "program",
  recognizes: ({ text }) =>
    /^[ \t\uFEFF]*(?:(?:http|events|server|upstream \S+|location [^;{]+|(?:map|geo) [^;{]+)\s*\{(?!\$)|limit_req(?:_zone)?\s[^;{}]+;|include\s+\S*(?:\.conf|\*)["']?\s*;)/m.test(
      text,
    ) &&
    !isOfKubernetes(text) &&
    !/^[ \t\uFEFF]*(?:vcl\s+\d|sub\s+vcl_)/m.test(text), // VCL includes files in the same words
  read: (main, includes, values) => {
    const top = expandIncludes(main, includes);
    if (isFailure(top)) return top;
    const http = top.filter(({ name }) => name === "http").flatMap(({ block }) => block ?? []);
    try {
      return new NginxReader(http.length > 0 ? http : top, top, values).read();
    } catch (error) {
      if (error instanceof NginxProblem) return new Failure(error.message);
      throw error;
    }
  },
};

/** Values that most servers have, where a log does not show them. */
const USUAL: Readonly<Record<string, string>> = {
  scheme: "https",
  https: "on",
  server_protocol: "HTTP/1.1",
  server_addr: "127.0.0.1",
  hostname: "localhost",
};

class NginxReader implements Variables {
  readonly defined: ReadonlyMap<string, Directive>;
  readonly assigned: ReadonlySet<string>;
  readonly #needed = new Set<string>();
  readonly #http: readonly Directive[];
  readonly #top: readonly Directive[];
  readonly #values: ReadonlyMap<string, string>;
  readonly #roles = new Map<Directive, ReadRole>();
  readonly #questions: OpenQuestion[] = [];
  readonly #headers = new Set<string>();

  constructor(
    http: readonly Directive[],
    top: readonly Directive[],
    values: ReadonlyMap<string, string>,
  ) {
    this.#http = http;
    this.#top = top;
    this.#values = values;
    const tables = http.filter(({ name }) => name === "map" || name === "geo");
    this.defined = new Map(tables.map((each) => [nameOf(each.words.at(-1) ?? ""), each]));
    const all = allDirectives(http);
    const sets = all.filter(({ name }) => name === "set");
    this.assigned = new Set([
      ...sets.map(({ words }) => nameOf(words[0] ?? "")),
      ...all.flatMap(({ name, words }) => [name, ...words].flatMap(groupNames)),
    ]);
    for (const { name, words } of all)
      if (/^(?:limit_req_zone|if|rewrite|try_files)$/.test(name)) this.#need(words, sets);
  }

  read(): ReadConfiguration | Failure {
    const servers = serversOf(this.#http, this);
    const zones = zonesOf(this.#http);
    if (isFailure(zones)) return zones;
    const places = allPlaces(servers);
    const problems = problemsOfLimits(places, zones);
    if (problems.length > 0) return new Failure(...problems);
    const choice = new ServerChoice(servers, this.#values, (name, value, at) =>
      this.#resolve(name, value, at),
    );
    const rules = this.#rulesOf(zones, servers, choice);
    this.#noteMoves(servers);
    return {
      kind: NGINX_READER.kind,
      order: "together",
      rules,
      headers: [...this.#headers],
      statements: withoutRepetitions(this.#statementsOf(this.#top)),
      questions: this.#questions,
    };
  }

  findGiven = (name: string): string | undefined => this.#values.get(name);

  needs = (name: string): boolean => this.#needed.has(name);

  resolveUnknown = (name: string, at: Directive): string =>
    this.#resolve(name, USUAL[name] ?? "", at);

  noteRead = (directive: Directive): void => {
    if (!this.#roles.has(directive)) this.#roles.set(directive, READ);
  };

  noteHeader = (name: string): void => void this.#headers.add(name);

  #resolve(name: string, usual: string, at: Directive): string {
    const given = this.#values.get(name);
    const value = given ?? usual;
    if (!this.#questions.some((each) => each.name === name)) {
      const { file, line } = at;
      this.#questions.push({ name, file, line, value, isSet: given !== undefined });
    }
    if (given === undefined)
      this.#roles.set(at, {
        role: "question",
        consequence:
          value === ""
            ? `$${name} is taken as empty, and nginx counts no request with an empty key`
            : `$${name} is taken as ${value}`,
      });
    return value;
  }

  /** Marks the variables of these words as needed, and those that define them. */
  #need(words: readonly string[], sets: readonly Directive[]): void {
    for (const name of words.flatMap(variablesIn)) {
      if (this.#needed.has(name)) continue;
      this.#needed.add(name);
      const table = this.defined.get(name);
      const entries = table?.block?.flatMap(({ words: values }) => values) ?? [];
      this.#need([...(table?.words.slice(0, -1) ?? []), ...entries], sets);
      for (const { words: set } of sets)
        if (nameOf(set[0] ?? "") === name) this.#need(set.slice(1), sets);
    }
  }

  #rulesOf(
    zones: ReadonlyMap<string, Zone>,
    servers: readonly Server[],
    choice: ServerChoice,
  ): readonly ReadRule[] {
    const keys = new Map<string, Expression>();
    const rules = new Map<string, ReadRule>();
    // A request with an empty key was counted by no limit, and is limited where it moves next.
    const isCounted = ({ place, at }: PlacedRequest): boolean =>
      place.limits.some((limit) => keys.get(zoneOf(limit))!(at) !== "");
    const placed = findOnce((facts) => placeOfRequest(choice.serverOf, isCounted, facts));
    const answers = new Map<string, readonly (Directive | null)[]>();
    const places = servers.flatMap((server) =>
      allPlaces([server]).map((place) => [place, answerOf(server) ?? answerOf(place)] as const),
    );
    for (const [place, answer] of places)
      for (const limit of place.limits) {
        const name = zoneOf(limit);
        const zone = zones.get(name)!;
        const { directive } = zone;
        this.noteRead(limit);
        this.noteRead(directive);
        const compile = (): Expression => expressionOf(zone.key, directive, this);
        const keyOf = keys.get(name) ?? placeProblems(directive, compile);
        keys.set(name, keyOf);
        const rule = ruleKey(limit, place);
        if (!rules.has(rule)) rules.set(rule, ruleOf(zone, limit, place, placed, keyOf));
        if (!isCovered(place)) answers.set(rule, [...(answers.get(rule) ?? []), answer]);
      }
    const all = [...rules].map(([key, rule]) => {
      const [first = null, ...others] = answers.get(key) ?? [];
      if (first === null || others.includes(null)) return rule;
      const { file, line, name, words } = first;
      return { ...rule, answeredBy: { file, line, text: maskText([name, ...words].join(" ")) } };
    });
    return nameApart(all);
  }

  /** Statements that move requests out of places without limits, to places that have some. */
  #noteMoves(servers: readonly Server[]): void {
    for (const server of servers) {
      const inside = allPlaces([server]);
      if (inside.every(({ limits }) => limits.length === 0)) continue;
      for (const { limits, directive } of inside)
        if (limits.length === 0)
          for (const each of directive.block ?? [])
            if (
              MOVING[each.name] !== undefined &&
              targetsOf(each).some((to) => areLimitedAt(server, to))
            )
              this.#roles.set(each, misunderstood(MOVING[each.name]!));
    }
  }

  /** Every directive outside of tables has a role. */
  #statementsOf(directives: readonly Directive[]): readonly ReadStatement[] {
    return directives.flatMap((directive) => {
      const { name, words, block, file, line } = directive;
      const { role, consequence } = this.#roles.get(directive) ?? roleIn(directive);
      const text = [name, ...words.slice(0, countShown(name))].join(" ");
      const unread =
        name === "geo" && role === "read"
          ? unreadGeo(directive).map((each) => ({
              file: each.file,
              line: each.line,
              text: [each.name, ...each.words].join(" "),
              ...misunderstood("addresses behind such a proxy may have another value"),
            }))
          : [];
      return [
        { file, line, text: maskText(text), role, consequence },
        ...unread,
        ...(block === null || isTable(directive) ? [] : this.#statementsOf(block)),
      ];
    });
  }
}

/** Whether each request of a place belongs to a location in it. */
const isCovered = ({ locations }: NginxPlace): boolean =>
  locations.some(({ sign, path }) => path === "/" && (sign === "" || sign === "^~"));

/** The `return` that answers each request of a place, before nginx limits it. */
function answerOf({ directive }: NginxPlace): Directive | null {
  const first = (directive.block ?? []).find(({ name }) =>
    /^(?:return|break|rewrite|if)$/.test(name),
  );
  return first?.name === "return" ? first : null;
}

/** Directives whose last word may be a path. */
const MOVING: Readonly<Record<string, string>> = {
  try_files: "every file is taken as missing, so that requests move to the last path",
  error_page: "requests with an error move to this path, and limits there are not counted",
  index: "requests of a folder move to this file, and limits of its location are not counted",
  mirror: "limits of this path count the copies of requests, which are not read",
  auth_request: "limits of this path count requests that are not read",
};

/** The paths that requests may move to. */
const targetsOf = ({ name, words }: Directive): readonly string[] =>
  (name === "index" ? words : words.slice(-1)).filter(
    (text) => !/^=\d*$|^\d+$|^off$|^https?:/.test(text),
  );

/** How many words are printed: values of some directives may be secrets. */
function countShown(name: string): number {
  if (/password|secret|token|_key$/.test(name)) return 0;
  return /^set$|_(?:set_header|add_header|param)$/.test(name) ? 1 : Number.POSITIVE_INFINITY;
}

/** A file that is included several times has its statements once. */
const withoutRepetitions = (statements: readonly ReadStatement[]): readonly ReadStatement[] => [
  ...new Map(statements.map((each) => [Object.values(each).join("\n"), each])).values(),
];

/** An `if` whose condition needs the file system has no effect that is read. */
const roleIn = (directive: Directive): ReadRole =>
  directive.name === "if" && movesInside(directive)
    ? misunderstood("its condition needs files, and is taken as false")
    : directive.name === "if"
      ? IRRELEVANT
      : roleOf(directive);

const movesInside = ({ block }: Directive): boolean =>
  (block ?? []).some(({ name }) => name === "return" || name === "rewrite");

function ruleOf(
  { name, rate, scale, written }: Zone,
  limit: Directive,
  limited: NginxPlace,
  placed: (request: RequestFacts) => PlacedRequest | null,
  keyOf: Expression,
): ReadRule {
  const { dryRun, status } = limited;
  const key = ruleKey(limit, limited);
  // nginx counts in thousandths of a request, and rounds the rate down to whole ones for each second.
  const thousandths = Math.floor((rate * 1_000) / scale);
  const isWhole = thousandths * scale === rate * 1_000;
  return {
    id: ruleId(limit, limited),
    file: limit.file,
    line: limit.line,
    limit: isWhole
      ? { rate, perUs: micros(scale * SECOND) }
      : { rate: thousandths, perUs: micros(1_000 * SECOND) },
    written,
    options: optionsOf(burstOf(limit) + 1),
    ...(countAtOnce(limit) < burstOf(limit)
      ? { undelayed: optionsOf(countAtOnce(limit) + 1) }
      : {}),
    isDryRun: dryRun,
    status,
    counters: `zone ${name}`,
    budgetOf: (request) => {
      const found = placed(request);
      if (found === null) return null;
      const { place, at } = found;
      if (!place.limits.some((each) => ruleKey(each, place) === key)) return null;
      return keyOf(at) || null; // nginx does not count an empty key
    },
  };
}

/** Places that share a zone, a burst and their consequences share a rule. */
const ruleId = (limit: Directive, { dryRun, status }: NginxPlace): string =>
  `zone ${zoneOf(limit)}, burst ${burstOf(limit)}${dryRun ? ", dry run" : ""}${status === 503 ? "" : `, status ${status}`}`;

/** Like `ruleId`, also apart by which requests wait. */
const ruleKey = (limit: Directive, place: NginxPlace): string =>
  `${ruleId(limit, place)}, ${Math.min(countAtOnce(limit), burstOf(limit))} undelayed`;

const zoneOf = ({ words }: Directive): string =>
  words.find((word) => word.startsWith("zone="))?.slice("zone=".length) ?? "";

const nameOf = (variable: string): string => variable.replace(/^\$/, "");

const allPlaces = (places: readonly NginxPlace[]): readonly NginxPlace[] =>
  places.flatMap((place) => [place, ...allPlaces(place.locations)]);

const allDirectives = (directives: readonly Directive[]): readonly Directive[] =>
  directives.flatMap((each) => [each, ...allDirectives(each.block ?? [])]);

/** How the profile nginx counts. */
const optionsOf = (burst: number): ReadRule["options"] => optionsFrom({ profile: "nginx", burst });
