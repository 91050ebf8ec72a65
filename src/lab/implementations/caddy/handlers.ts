// Which limits a request meets on its way through the directives of a site, in the order of directives of Caddy 2.
import type { RequestFacts, RequestTest } from "../reading.ts";
import { pathOf, queryOf } from "../request-parts.ts";
import { matcherOf, matchersIn, pathMatcher } from "./matchers.ts";
import type { CaddyDirective } from "./parse.ts";
import { readZones, type CaddyZone, type ZoneWorld } from "./zones.ts";

const ORDER =
  "tracing map vars fs root log_append log_skip skip_log log_name header copy_response_headers request_body redir method rewrite uri try_files basic_auth basicauth forward_auth request_header encode push intercept templates invoke handle handle_path route abort error copy_response respond metrics reverse_proxy php_fastcgi file_server acme_server".split(
    " ",
  );

/** They answer a request, so that what comes after them does not have it. */
const ENDS =
  /^(?:redir|abort|error|respond|metrics|reverse_proxy|php_fastcgi|file_server|acme_server)$/;

/** They may answer a request, or change its path. */
const MAY_END =
  /^(?:basic_auth|basicauth|forward_auth|authorize|authenticate|coraza_waf|defender)$/;
const CHANGES = /^(?:rewrite|uri|try_files|method)$/;

interface Step {
  readonly word: string;
  readonly directive: CaddyDirective;
  readonly isIn: RequestTest;
  readonly path: string | null; // of a path matcher
  readonly hasMatcher: boolean;
  readonly zones: readonly CaddyZone[];
  readonly steps: readonly Step[]; // of a block
}

type CaddySite = (request: RequestFacts) => ReadonlySet<CaddyZone>;

export interface ReadSite {
  readonly zones: readonly CaddyZone[]; // in the order in which a request meets them
  readonly zonesOf: CaddySite;
}

type Matchers = ReadonlyMap<string, CaddyDirective>;

export class SiteReader {
  readonly #world: ZoneWorld;
  readonly #position: number; // of rate_limit in the order of directives
  readonly #zones = new Map<CaddyDirective, readonly CaddyZone[]>(); // sites may share a snippet

  constructor(world: ZoneWorld, options: readonly CaddyDirective[]) {
    this.#world = world;
    this.#position = positionIn(options);
  }

  read(block: readonly CaddyDirective[]): ReadSite {
    const steps = this.#stepsOf(block, new Map(), true);
    return {
      zones: zonesIn(steps),
      zonesOf: (request) => {
        const met = new Set<CaddyZone>();
        meet(steps, request, met);
        return met;
      },
    };
  }

  #stepsOf(block: readonly CaddyDirective[], above: Matchers, isSorted: boolean): readonly Step[] {
    const matchers = new Map(above);
    for (const each of block)
      if (each.words[0]?.startsWith("@")) {
        matchers.set(each.words[0], each);
        this.#world.note(each, "read");
        for (const inner of each.block ?? []) this.#world.note(inner, "read");
      }
    const steps = block
      .filter(({ words }) => !words[0]?.startsWith("@"))
      .map((each) => this.#stepOf(each, matchers));
    const ordered = isSorted ? steps.toSorted((a, b) => this.#compare(a, b)) : steps;
    this.#noteEarlier(ordered);
    return ordered;
  }

  #stepOf(directive: CaddyDirective, matchers: Matchers): Step {
    const [word = "", first = ""] = directive.words;
    const isGroup = /^(?:handle|handle_path|route)$/.test(word);
    const named = first.startsWith("@") ? matchers.get(first) : undefined;
    const path = first.startsWith("/") ? first : pathIn(named);
    const isIn =
      named !== undefined
        ? matcherOf(matchersIn(named), this.#world)
        : first.startsWith("/")
          ? pathMatcher(first)
          : (): boolean => true;
    if (first.startsWith("@") && named === undefined)
      this.#world.fail(directive, `the matcher ${first} is not defined; define it in this site`);
    const zones = word === "rate_limit" ? this.#zonesOf(directive) : [];
    const steps = isGroup ? this.#stepsOf(directive.block ?? [], matchers, word !== "route") : [];
    const hasMatcher = named !== undefined || first.startsWith("/");
    if (isGroup) this.#world.note(directive, "read");
    return { word, directive, isIn, path, hasMatcher, zones, steps };
  }

  #zonesOf(directive: CaddyDirective): readonly CaddyZone[] {
    const values = directive.words.slice(1).filter((each) => !/^[@/*]/.test(each));
    if (values.length === 0 && directive.block !== null) {
      this.#world.note(directive, "read");
      const zones = this.#zones.get(directive) ?? readZones(directive, this.#world);
      this.#zones.set(directive, zones);
      return zones;
    }
    this.#world.note(
      directive,
      "not understood",
      "this is the syntax of another module, so that this limit is missing",
    );
    return [];
  }

  #compare(a: Step, b: Step): number {
    const byOrder = this.#placeOf(a.word) - this.#placeOf(b.word);
    if (byOrder !== 0) return byOrder;
    if (a.path !== null && b.path !== null) return lengthOf(b.path) - lengthOf(a.path);
    return Number(b.hasMatcher) - Number(a.hasMatcher);
  }

  /** handle_path has the place of a handle with a path. An unknown directive is taken to come first. */
  #placeOf(word: string): number {
    return word === "rate_limit"
      ? this.#position
      : ORDER.indexOf(word === "handle_path" ? "handle" : word);
  }

  /** Names what may change or end requests before a limit of the same block, or of one in it. */
  #noteEarlier(steps: readonly Step[]): void {
    const last = steps.findLastIndex((step) => zonesIn([step]).length > 0);
    for (const { word, directive } of steps.slice(0, Math.max(last, 0)).flatMap(withInner)) {
      const consequence = MAY_END.test(word)
        ? "it may answer requests before they are counted, and here they count"
        : CHANGES.test(word)
          ? "it changes requests before a limit, and matchers see them as in the log here"
          : null;
      if (consequence !== null) this.#world.note(directive, "not understood", consequence);
    }
  }
}

/** A step with those of a route, which come before later limits too. Of several handles a request meets one. */
const withInner = (step: Step): readonly Step[] =>
  step.word === "route" ? [step, ...step.steps.flatMap(withInner)] : [step];

const lengthOf = (path: string): number => path.replace(/\*$/, "").length;

/** `order rate_limit before NAME`; by default it comes before basic_auth. */
function positionIn(options: readonly CaddyDirective[]): number {
  let position = ORDER.indexOf("basic_auth") - 0.5;
  for (const { words } of options) {
    const [word, name, where, other = ""] = words;
    if (word !== "order" || name !== "rate_limit") continue;
    if (where === "first") position = -0.5;
    else if (where === "last") position = ORDER.length;
    else if (ORDER.includes(other))
      position = ORDER.indexOf(other) + (where === "after" ? 0.5 : -0.5);
  }
  return position;
}

const zonesIn = (steps: readonly Step[]): readonly CaddyZone[] =>
  steps.flatMap((step) => [...step.zones, ...zonesIn(step.steps)]);

function pathIn(named: CaddyDirective | undefined): string | null {
  const [only, ...others] = named === undefined ? [] : matchersIn(named);
  const [word, path, ...rest] = only?.words ?? [];
  return others.length === 0 && rest.length === 0 && word === "path" ? (path ?? null) : null;
}

/** Whether a directive answers the request. */
function meet(steps: readonly Step[], request: RequestFacts, met: Set<CaddyZone>): boolean {
  let isHandled = false;
  for (const { word, directive, isIn, zones, steps: inner } of steps) {
    const isHandle = word === "handle" || word === "handle_path";
    if ((isHandle && isHandled) || !isIn(request)) continue;
    for (const zone of zones) if (zone.isIn(request)) met.add(zone);
    if (ENDS.test(word)) return true;
    isHandled ||= isHandle;
    const own = word === "handle_path" ? stripPrefix(request, directive.words[1] ?? "") : request;
    if (meet(inner, own, met)) return true;
  }
  return false;
}

function stripPrefix(request: RequestFacts, pattern: string): RequestFacts {
  const prefix = pattern.replace(/\/?\*$/, "");
  const path = pathOf(request).slice(prefix.length);
  const query = queryOf(request);
  const target = `${path.startsWith("/") ? "" : "/"}${path}${query === "" ? "" : `?${query}`}`;
  return { ...request, target };
}
