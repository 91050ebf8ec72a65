// Reads the limits of nginx (ngx_http_limit_req_module) from its configuration files.
import { micros, SECOND } from "../../../kit/units.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { strictFindings } from "../../../limiter/world/place.ts";
import { readOptions } from "../../../limiter/world/options.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  OpenQuestion,
  ReadConfiguration,
  ReadRule,
  ReadStatement,
  RequestFacts,
} from "../reading.ts";
import { parseNginx, type Directive } from "./parse.ts";
import { placeAt, serverAt, serversOf, type Place } from "./places.ts";
import { isWithoutLimits, roleOf } from "./roles.ts";
import { expressionOf, unreadGeo, type Expression, type Variables } from "./variables.ts";

export const NGINX_READER: ConfigurationReader = {
  kind: "nginx",
  isProvedBy: "program",
  recognizes: ({ text }) =>
    /^\s*(?:http|server|events|limit_req_zone|map|geo|upstream)\b[^\n:]*[{;]/m.test(text),
  read: readNginx,
};

function readNginx(
  main: ConfigurationFile,
  includes: Includes,
  values: ReadonlyMap<string, string>,
): ReadConfiguration | Failure {
  const top = expand(main, includes, []);
  if (isFailure(top)) return top;
  const http = top.filter(({ name }) => name === "http").flatMap(({ block }) => block ?? []);
  return new NginxReader(http.length > 0 ? http : top, top, values).read();
}

const MOST_INCLUDES = 1000;

/** The directives of a file, with those of included files in place of each `include`. */
function expand(
  file: ConfigurationFile,
  includes: Includes,
  within: readonly string[],
): readonly Directive[] | Failure {
  if (within.includes(file.file))
    return new Failure(`${file.file} includes itself, through ${within.join(", ")}`);
  const directives = parseNginx(file);
  if (isFailure(directives)) return directives;
  if (within.length > MOST_INCLUDES)
    return new Failure(`${file.file}: too many files include each other`);
  return expandAll(directives, includes, [...within, file.file]);
}

function expandAll(
  directives: readonly Directive[],
  includes: Includes,
  within: readonly string[],
): readonly Directive[] | Failure {
  const all: Directive[] = [];
  for (const directive of directives) {
    const { name, words, block, file, line } = directive;
    if (name === "include" && words.length === 1 && !isWithoutLimits(words[0]!)) {
      const files = includes(words[0]!);
      if (isFailure(files))
        return new Failure(...files.problems.map((why) => `${file}:${line}: ${why}`));
      for (const each of files) {
        const content = expand(each, includes, within);
        if (isFailure(content)) return content;
        all.push(...content);
      }
      if (files.length === 0) all.push(directive);
    } else if (block === null) all.push(directive);
    else {
      const inner = expandAll(block, includes, within);
      if (isFailure(inner)) return inner;
      all.push({ ...directive, block: inner });
    }
  }
  return all;
}

interface Zone {
  readonly directive: Directive;
  readonly perUs: number; // 1 s or 1 min
  readonly rate: number;
  readonly keyOf: Expression;
}

class NginxReader implements Variables {
  readonly defined = new Map<string, Directive>();
  readonly values: ReadonlyMap<string, string>;
  readonly #http: readonly Directive[];
  readonly #top: readonly Directive[];
  readonly #servers: readonly Place[];
  readonly #read = new Set<Directive>();
  readonly #statements: ReadStatement[] = [];
  readonly #questions = new Map<string, OpenQuestion>();
  readonly #headers = new Set<string>();
  readonly #problems: string[] = [];

  constructor(
    http: readonly Directive[],
    top: readonly Directive[],
    values: ReadonlyMap<string, string>,
  ) {
    this.#http = http;
    this.#top = top;
    this.values = values;
    this.#servers = serversOf(http);
  }

  read(): ReadConfiguration | Failure {
    for (const directive of this.#http)
      if (directive.name === "map" || directive.name === "geo")
        this.defined.set(nameOf(directive.words.at(-1) ?? ""), directive);
    this.#defineSets();
    const zones = new Map<string, Zone>();
    for (const directive of this.#http)
      if (directive.name === "limit_req_zone") {
        const zone = this.#zoneOf(directive);
        if (isFailure(zone)) this.#problems.push(zone.message);
        else zones.set(zone.name, zone);
      }
    const rules = this.#rulesOf(zones);
    if (this.#problems.length > 0) return new Failure(...this.#problems);
    this.#giveRoles(this.#top);
    return {
      kind: NGINX_READER.kind,
      order: "together",
      rules,
      headers: [...this.#headers],
      statements: this.#statements,
      questions: [...this.#questions.values()],
    };
  }

  ask = (name: string, { file, line }: Directive): string => {
    const value = this.values.get(name);
    this.#questions.set(name, { name, file, line, value: value ?? "", isSet: value !== undefined });
    return value ?? "";
  };

  noteRead = (directive: Directive): void => void this.#read.add(directive);

  noteHeader = (name: string): void => void this.#headers.add(name);

  /** A variable with one unconditional `set` has its value; several, or one inside `if`, depend on the request. */
  #defineSets(): void {
    const sets = new Map<
      string,
      { readonly directive: Directive; readonly isCertain: boolean }[]
    >();
    const collect = (directives: readonly Directive[], isCertain: boolean): void => {
      for (const directive of directives) {
        const { name, words, block } = directive;
        if (name === "set") {
          const variable = nameOf(words[0] ?? "");
          sets.set(variable, [...(sets.get(variable) ?? []), { directive, isCertain }]);
        }
        collect(block ?? [], isCertain && name !== "if");
      }
    };
    collect(this.#http, true);
    for (const [variable, all] of sets) {
      const [first] = all;
      if (all.length === 1 && first!.isCertain) this.defined.set(variable, first!.directive);
    }
  }

  #zoneOf(directive: Directive): (Zone & { readonly name: string }) | Failure {
    const { words, file, line } = directive;
    const at = `${file}:${line}: limit_req_zone`;
    const [key = "", ...others] = words;
    const name = wordAfter("zone=", others)?.split(":", 1)[0];
    const [, rate, unit] = /^(\d+)r\/([sm])$/.exec(wordAfter("rate=", others) ?? "") ?? [];
    if (name === undefined || name === "") return new Failure(`${at} has no zone=NAME:SIZE`);
    if (rate === undefined || Number(rate) === 0)
      return new Failure(`${at} has no rate such as rate=10r/s or rate=30r/m`);
    this.noteRead(directive);
    try {
      const keyOf = expressionOf(key, directive, this);
      const perUs = unit === "s" ? SECOND : 60 * SECOND;
      return { name, directive, rate: Number(rate), perUs, keyOf };
    } catch (error) {
      if (error instanceof SyntaxError) return new Failure(`${at}: ${error.message}`);
      throw error;
    }
  }

  #rulesOf(zones: ReadonlyMap<string, Zone>): readonly ReadRule[] {
    const places = allPlaces(this.#servers);
    const used = new Map<
      string,
      { readonly limit: Directive; readonly zone: Zone; readonly first: Place }
    >();
    for (const place of places)
      for (const limit of place.limits) {
        const { file, line } = limit;
        const name = wordAfter("zone=", limit.words);
        const zone = name === undefined ? undefined : zones.get(name);
        if (zone === undefined) {
          this.#problems.push(
            `${file}:${line}: limit_req names the zone ${name ?? "(none)"}, and no limit_req_zone defines it`,
          );
          continue;
        }
        this.noteRead(limit);
        used.set(ruleId(name!, limit, place), { limit, zone, first: place });
      }
    const bursts = new Map<string, Set<number>>();
    for (const { limit } of used.values()) {
      const name = wordAfter("zone=", limit.words)!;
      bursts.set(name, (bursts.get(name) ?? new Set()).add(burstOf(limit)));
    }
    return [...used].map(([id, { limit, zone, first }]) => {
      const name = wordAfter("zone=", limit.words)!;
      if (bursts.get(name)!.size > 1)
        this.#note(
          limit,
          "not understood",
          `zone ${name} has several bursts, whose requests nginx counts together and this reader apart`,
        );
      return this.#ruleOf(id, limit, zone, first);
    });
  }

  #ruleOf(id: string, limit: Directive, { rate, perUs, keyOf }: Zone, first: Place): ReadRule {
    const burst = burstOf(limit) + 1;
    const name = wordAfter("zone=", limit.words)!;
    return {
      id,
      file: limit.file,
      line: limit.line,
      limit: { rate, perUs: micros(perUs) },
      options: optionsOf(burst),
      isDryRun: first.dryRun,
      status: first.status,
      budgetOf: (request) => {
        const place = this.#placeOf(request);
        if (place === null || place.returns !== null) return null;
        if (!place.limits.some((each) => ruleId(name, each, place) === id)) return null;
        return keyOf(request, place.server) || null; // nginx does not count an empty key
      },
    };
  }

  #placeOf(request: RequestFacts): Place | null {
    const server = serverAt(this.#servers, request.host);
    return server === null ? null : placeAt(server, request);
  }

  #giveRoles(directives: readonly Directive[]): void {
    for (const directive of directives) {
      if (this.#read.has(directive)) this.#note(directive, "read", "");
      else {
        const { role, consequence } = roleOf(directive);
        this.#note(directive, role, consequence);
      }
      if (directive.name === "geo" && this.#read.has(directive))
        for (const each of unreadGeo(directive))
          this.#note(each, "not understood", "addresses of this geo may have another value");
      if (["http", "server", "location", "if", "limit_except"].includes(directive.name))
        this.#giveRoles(directive.block ?? []);
    }
  }

  #note(directive: Directive, role: ReadStatement["role"], consequence: string): void {
    const { name, words, file, line } = directive;
    this.#statements.push({ file, line, text: [name, ...words].join(" "), role, consequence });
  }
}

const nameOf = (variable: string): string => variable.replace(/^\$/, "");

const wordAfter = (start: string, words: readonly string[]): string | undefined =>
  words.find((word) => word.startsWith(start))?.slice(start.length);

const burstOf = ({ words }: Directive): number => Number(wordAfter("burst=", words) ?? 0);

/** Places that share a zone, a burst and their consequences share a rule. */
const ruleId = (zone: string, limit: Directive, { dryRun, status }: Place): string =>
  `zone ${zone}, burst ${burstOf(limit)}${dryRun ? ", dry run" : ""}${status === 503 ? "" : `, status ${status}`}`;

function allPlaces(places: readonly Place[]): readonly Place[] {
  return places.flatMap((place) => [place, ...allPlaces(place.locations)]);
}

/** How the profile nginx counts. `nodelay` changes when a request is sent, not whether it is refused. */
const optionsOf = (burst: number): ReadRule["options"] =>
  readOptions({ raw: { profile: "nginx", burst }, path: [], findings: strictFindings([], []) });
