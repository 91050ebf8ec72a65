// Reads the limits of Spring Cloud Gateway (the filter RequestRateLimiter) from its application.yml.
import { SECOND } from "../../../kit/units.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
  ReadRule,
  RequestFacts,
  RequestTest,
} from "../reading.ts";
import { Questions } from "../questions.ts";
import { findOnce } from "../rule-parts.ts";
import { statusOf } from "../status-names.ts";
import { SOURCE_NAMES, sourceOf, type Source } from "../sources.ts";
import { childrenOf, parseYaml, textIn, YamlNotes, type YamlNode } from "../yaml-tree.ts";
import { callOf, predicateTest, type SpringCall } from "./read-predicates.ts";
import { roleOfField, roleOfFilter } from "./read-roles.ts";

export const SPRING_CLOUD_GATEWAY_READER: ConfigurationReader = {
  kind: "spring-cloud-gateway",
  isProvedBy: "program",
  recognizes: ({ text }) =>
    /^[ \t\uFEFF]*["']?spring\b[\w.-]*["']?\s*:/m.test(text) &&
    /\bgateway\b/.test(text) &&
    /\broutes\b|default-?filters/i.test(text),
  read: (main: ConfigurationFile, _: Includes, values: ReadonlyMap<string, string>) => {
    const roots = parseYaml(main);
    return isFailure(roots) ? roots : new SpringReader(main.file, roots, values).read();
  },
};

const GATEWAYS = ["spring.cloud.gateway.server.webflux", "spring.cloud.gateway"];

interface SpringRoute {
  readonly id: string;
  readonly order: number;
  readonly tests: readonly RequestTest[];
  readonly limit: SpringLimit | null;
}

interface SpringLimit {
  readonly line: number;
  readonly rate: number;
  readonly capacity: number;
  readonly tokens: number; // of a request
  readonly status: number;
  readonly keyOf: Source;
}

class SpringReader {
  readonly #file: string;
  readonly #roots: readonly YamlNode[];
  readonly #notes = new YamlNotes();
  readonly #headers = new Set<string>();
  readonly #questions: Questions;
  readonly #problems: string[] = [];

  constructor(file: string, roots: readonly YamlNode[], values: ReadonlyMap<string, string>) {
    this.#file = file;
    this.#roots = roots;
    this.#questions = new Questions(values);
  }

  read(): ReadConfiguration | Failure {
    const documents = this.#activeDocuments();
    const usual = this.#listAt(documents, "default-filters");
    const routes = this.#listAt(documents, "routes")
      .map((node, index) => this.#routeOf(node, index, usual))
      .toSorted((a, b) => a.order - b.order);
    if (routes.length === 0)
      for (const filter of usual) this.#limitOf(filter, "the default filters");
    const routeAt = findOnce(
      (request) => routes.find(({ tests }) => tests.every((test) => test(request))) ?? null,
    );
    const rules = routes.flatMap((route) =>
      route.limit === null ? [] : [ruleOf(route, this.#file, routeAt)],
    );
    for (const root of this.#roots) {
      const locator = findField(root, "spring.cloud.gateway.discovery.locator.enabled");
      if (locator?.value === false) this.#notes.note(locator, "irrelevant");
    }
    if (this.#problems.length > 0) return new Failure(...this.#problems);
    return {
      kind: SPRING_CLOUD_GATEWAY_READER.kind,
      order: "in turn",
      rules,
      headers: [...this.#headers],
      statements: this.#notes.statements(this.#file, this.#roots, roleOfField),
      questions: this.#questions.all,
    };
  }

  /** Documents for a profile apply only if the profile is active. */
  #activeDocuments(): readonly YamlNode[] {
    return this.#roots.filter((root) => {
      const node = ["spring.config.activate.on-profile", "spring.profiles"]
        .map((path) => findField(root, path))
        .find((each) => each !== null && each.fields === null);
      if (node === undefined || node === null) return true;
      const profile = this.#take("profile", "", node);
      const isActive = (node.items?.map(textIn) ?? textIn(node).split(/[,\s]+/)).includes(profile);
      if (isActive) return true;
      this.#leaveOut(root, node);
      this.#notes.note(
        node,
        "question",
        "its document is taken not to be active; --set profile=NAME makes it so",
      );
      return false;
    });
  }

  /** Notes all fields as irrelevant, except one. */
  #leaveOut(node: YamlNode, except: YamlNode): void {
    const has = (each: YamlNode): boolean => each === except || childrenOf(each).some(has);
    for (const child of childrenOf(node))
      if (!has(child)) this.#notes.noteAll(child, "irrelevant");
      else if (child !== except) this.#leaveOut(child, except);
  }

  /** A list of the last document that has it: a later list is in place of an earlier one. */
  #listAt(documents: readonly YamlNode[], name: string): readonly YamlNode[] {
    for (const document of documents.toReversed())
      for (const gateway of GATEWAYS) {
        const list = findField(document, `${gateway}.${name}`);
        if (list === null) continue;
        this.#notes.note(list, "read");
        return childrenOf(list);
      }
    return [];
  }

  #routeOf(node: YamlNode, index: number, usual: readonly YamlNode[]): SpringRoute {
    const id = textIn(node.fields?.get("id")) || `number ${index + 1}`;
    const list = (name: string): readonly YamlNode[] => {
      const field = node.fields?.get(name);
      if (field !== undefined) this.#notes.note(field, "read");
      return field?.items ?? [];
    };
    const tests = list("predicates").flatMap((each) => this.#testOf(each, id) ?? []);
    const filters = inOrder(usual, list("filters"));
    const limits = filters.map((each) => this.#limitOf(each, id));
    const all = limits.filter((each) => each !== null);
    if (all.length > 1)
      this.#notes.note(
        node,
        "not understood",
        "several RequestRateLimiter have one bucket, so that a request takes tokens more than once",
      );
    const order = Number(textIn(node.fields?.get("order")) || 0);
    const before = filters
      .slice(
        0,
        limits.findIndex((each) => each !== null),
      )
      .map((each) => this.#callOf(each).name);
    const limit = all.at(-1) ?? null;
    if (limit === null || before.includes("RedirectTo")) return { id, order, tests, limit: null };
    const isBroken = before.includes("SetResponseHeader"); // it cannot set the header of a refusal
    return { id, order, tests, limit: isBroken ? { ...limit, status: 500 } : limit };
  }

  /** An unknown predicate is a question, and is taken to hold. */
  #testOf(node: YamlNode, id: string): RequestTest | null {
    const call = this.#callOf(node);
    const test = predicateTest(call, this.#headers);
    this.#notes.noteAll(node, "read");
    if (test !== null) return test;
    const name = `${call.name}_of_${id}`.replaceAll(/\W+/g, "_");
    const isTaken = this.#take(name, "true", node) === "true";
    this.#notes.note(
      node,
      "question",
      `this reader does not know the predicate ${call.name}; it is taken to be ${isTaken}`,
    );
    return () => isTaken;
  }

  #callOf(node: YamlNode): SpringCall {
    return callOf(node, (text) => this.#resolve(text, node));
  }

  /** The limit of a filter; null: it has none. */
  #limitOf(node: YamlNode, route: string): SpringLimit | null {
    const call = this.#callOf(node);
    if (call.name !== "RequestRateLimiter") {
      const { role, consequence } = roleOfFilter(call.name);
      this.#notes.noteAll(node, "irrelevant");
      this.#notes.note(node, role, consequence);
      return null;
    }
    this.#notes.noteAll(node, "read");
    const { args, isShort } = call;
    const fail = (what: string): null => {
      this.#problems.push(`${this.#file}:${node.line}: ${what}`);
      return null;
    };
    const rateArgument = (name: string): string | undefined => args.get(`redisratelimiter.${name}`);
    if (isShort || rateArgument("replenishrate") === undefined) {
      const why = isShort ? "the short form has no rates" : "its rates are in the code";
      this.#notes.note(node, "not understood", `${why}, so that this limit is missing`);
      return null;
    }
    for (const name of args.keys())
      if (!ARGS.test(name))
        this.#notes.note(node, "not understood", `this reader does not know the argument ${name}`);
    const numberOf = (name: string): number => Number(rateArgument(name) ?? 1);
    const [rate, capacity, tokens] = ["replenishrate", "burstcapacity", "requestedtokens"].map(
      numberOf,
    ) as [number, number, number];
    if (!isCount(rate)) return fail(`replenishRate of route ${route} is no integer of at least 1`);
    if (!isCount(tokens))
      return fail(`requestedTokens of route ${route} is no integer of at least 1`);
    if (!Number.isSafeInteger(capacity) || capacity < tokens)
      return fail(
        `burstCapacity of route ${route} is below the ${tokens} of requestedTokens, so that no request is admitted; raise it`,
      );
    const status = statusOf(args.get("statuscode") ?? "") ?? 429;
    const keyOf = this.#resolverOf(node, args.get("keyresolver"));
    return { line: node.line, rate, capacity, tokens, keyOf, status };
  }

  /** A key resolver is code, so what it reads is a question. */
  #resolverOf(node: YamlNode, written: string | undefined): Source {
    const [, bean] = /^#\{\s*@(\w+)\s*\}$/.exec(written ?? "") ?? [];
    const name = bean ?? "key_resolver";
    const otherwise = /path|uri|url/i.test(name) ? "path" : "remote_address";
    const taken = this.#take(name, otherwise, node);
    const source = sourceOf(taken, this.#headers);
    const label = node.fields?.get("name") ?? node;
    this.#notes.note(label, "question", `the key resolver ${name} is code; ${taken} is taken`);
    if (source !== null) return source;
    this.#problems.push(`--set ${name}=${taken} is no source; write ${SOURCE_NAMES}`);
    return () => null;
  }

  /** Replaces `${name:default}` by the value of --set, of this file, or the default. */
  #resolve(text: string, node: YamlNode): string {
    return text.replaceAll(
      /\$\{([^{}:]+)(?::([^{}]*))?\}/g,
      (_, path: string, otherwise?: string) => {
        const here = this.#roots
          .map((root) => findField(root, path))
          .findLast((each) => textIn(each) !== "");
        return here === undefined
          ? this.#take(path.replaceAll(/\W+/g, "_"), otherwise ?? "", node)
          : textIn(here);
      },
    );
  }

  #take(name: string, otherwise: string, { line }: YamlNode): string {
    return this.#questions.takeValue(name, otherwise, { file: this.#file, line });
  }
}

/** The first filters of both lists come first, and of two the default one. */
const inOrder = (usual: readonly YamlNode[], own: readonly YamlNode[]): readonly YamlNode[] =>
  Array.from({ length: Math.max(usual.length, own.length) }, (_, at) => [
    ...usual.slice(at, at + 1),
    ...own.slice(at, at + 1),
  ]).flat();

const ARGS =
  /^(?:redisratelimiter\.(?:replenishrate|burstcapacity|requestedtokens)|keyresolver|statuscode|denyemptykey|emptykeystatus(?:code)?)$/;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;

/** The field at a path. A name may have several parts of the path, as in `spring.cloud.gateway: ...`. */
function findField(node: YamlNode | null | undefined, path: string): YamlNode | null {
  if (node === null || node === undefined) return null;
  const whole = node.fields?.get(path);
  if (whole !== undefined) return whole;
  for (const [name, child] of node.fields ?? []) {
    if (!path.startsWith(`${name}.`)) continue;
    const found = findField(child, path.slice(name.length + 1));
    if (found !== null) return found;
  }
  return null;
}

function ruleOf(
  route: SpringRoute,
  file: string,
  routeAt: (request: RequestFacts) => SpringRoute | null,
): ReadRule {
  const { line, rate, capacity, tokens, keyOf, status } = route.limit!;
  return {
    id: `route ${route.id}`,
    file,
    line,
    limit: { rate, perUs: SECOND },
    ...(tokens === 1 ? {} : { cost: tokens }),
    options: optionsFrom({ profile: "spring-cloud-gateway", burst: capacity }),
    isDryRun: false,
    status,
    sendsRemaining: true,
    budgetOf: (request) => (routeAt(request) === route ? keyOf(request) : null),
  };
}
