// Caddy's own form, JSON, as the directives of a Caddyfile: a list of routes is a `route`, which keeps its order.
import { isFailure, type Failure } from "../../../kit/reading/failure.ts";
import { maskValue } from "../masked.ts";
import type { ConfigurationFile } from "../reading.ts";
import { childrenOf, parseYaml, textIn, type YamlNode } from "../yaml-tree.ts";
import type { CaddyDirective } from "./parse.ts";

export const isCaddyJson = ({ text }: ConfigurationFile): boolean =>
  /^\s*\{/.test(text) && /"apps"\s*:/.test(text) && /"handler"\s*:/.test(text);

/** One site for each server, the first one with limits. */
export function parseCaddyJson(main: ConfigurationFile): readonly CaddyDirective[] | Failure {
  const roots = parseYaml(main);
  if (isFailure(roots)) return roots;
  const http = roots[0]!.fields?.get("apps")?.fields?.get("http");
  const servers = childrenOf(http?.fields?.get("servers") ?? roots[0]!);
  const writer = new DirectiveWriter(main.file);
  return servers
    .filter((node) => node.fields?.has("routes"))
    .map((node) => {
      const routes = writer.write(node, ["route"], { text: "routes:", block: writer.routes(node) });
      return writer.write(node, [":80"], { text: `${node.name}:`, block: [routes] });
    })
    .toSorted((a, b) => Number(isLimiting(b)) - Number(isLimiting(a)));
}

const isLimiting = ({ words, block }: CaddyDirective): boolean =>
  words[0] === "rate_limit" || (block ?? []).some(isLimiting);

/** Names of handlers that the Caddyfile has by other names. */
const HANDLERS: Readonly<Record<string, string>> = {
  static_response: "respond",
  authentication: "basic_auth",
  headers: "header",
};

type Parts = Partial<Pick<CaddyDirective, "text" | "block" | "of">>;

class DirectiveWriter {
  readonly #file: string;
  #matchers = 0;

  constructor(file: string) {
    this.#file = file;
  }

  write({ line }: YamlNode, words: readonly string[], parts: Parts): CaddyDirective {
    return { file: this.#file, line, words, block: null, ...parts };
  }

  routes(node: YamlNode): readonly CaddyDirective[] {
    return (node.fields?.get("routes")?.items ?? []).flatMap((route) => this.#route(route));
  }

  /** A route of a group is left out if another one of it has the request, as with `handle`. */
  #route(node: YamlNode): readonly CaddyDirective[] {
    const { fields } = node;
    const match = fields?.get("match");
    const name = `@${++this.#matchers}`;
    const matcher = match === undefined ? [] : [this.#matching(match, name)];
    const handlers = (fields?.get("handle")?.items ?? []).map((each) => this.#handler(each));
    const ends =
      fields?.get("terminal")?.value === true
        ? [this.write(fields.get("terminal")!, ["respond"], { text: "terminal: true" })]
        : [];
    const words = match === undefined ? [] : [name];
    const block = [...handlers, ...ends];
    if (textIn(fields?.get("group")) === "")
      return [...matcher, this.write(node, ["route", ...words], { text: "- handle:", block })];
    const inner = this.write(node, ["route"], { text: "- handle:", block });
    return [
      ...matcher,
      this.write(node, ["handle", ...words], { text: "- group:", block: [inner] }),
    ];
  }

  #handler(node: YamlNode): CaddyDirective {
    const name = textIn(node.fields?.get("handler"));
    const text = `- handler: ${name}`;
    if (name === "subroute") return this.write(node, ["route"], { text, block: this.routes(node) });
    if (name !== "rate_limit") return this.write(node, [HANDLERS[name] ?? name], { text });
    const others = [...(node.fields ?? [])].filter(
      ([field]) => field !== "handler" && field !== "rate_limits",
    );
    return this.write(node, ["rate_limit"], {
      text,
      block: [
        ...childrenOf(node.fields?.get("rate_limits") ?? EMPTY).map((each) => this.#zone(each)),
        ...others.map(([field, each]) => this.write(each, [field], { text: `${field}:` })),
      ],
    });
  }

  #zone(node: YamlNode): CaddyDirective {
    const block = [...(node.fields ?? [])].map(([field, each]) => {
      if (field === "match") return this.#matching(each, "match");
      const text = `${field}: ${maskValue(field, textIn(each))}`;
      const word = field === "max_events" ? "events" : field;
      return this.write(each, [word, field === "window" ? windowIn(each) : textIn(each)], { text });
    });
    return this.write(node, ["zone", node.name], { text: `${node.name}:`, block });
  }

  #matching(node: YamlNode, word: string): CaddyDirective {
    const block: CaddyDirective[] = [];
    const directive = this.write(node, [word], { text: "match:", block });
    block.push(...this.#sets(node, directive));
    return directive;
  }

  /** A request has to match all matchers of a set, and one of the sets. */
  #sets({ items }: YamlNode, of: CaddyDirective): readonly CaddyDirective[] {
    return this.#anyOf(
      of,
      (items ?? []).map((set) => childrenOf(set).flatMap((each) => this.#matchersOf(each, of))),
    );
  }

  #anyOf(
    of: CaddyDirective,
    sets: readonly (readonly CaddyDirective[])[],
  ): readonly CaddyDirective[] {
    if (sets.length <= 1) return sets[0] ?? [];
    const none = sets.map((block) => ({ ...of, words: ["not"], block, of }));
    return [{ ...of, words: ["not"], block: none, of }];
  }

  #matchersOf(node: YamlNode, of: CaddyDirective): readonly CaddyDirective[] {
    const one = (...words: readonly string[]): CaddyDirective => this.write(node, words, { of });
    const texts = (each: YamlNode | undefined): readonly string[] =>
      (each?.items ?? []).map(textIn);
    const { name, fields } = node;
    switch (name) {
      case "path":
      case "method":
      case "host":
        return [one(name, ...texts(node))];
      case "remote_ip":
      case "client_ip":
        return [one(name, ...texts(fields?.get("ranges")))];
      case "path_regexp":
        return [one(name, textIn(fields?.get("pattern")))];
      case "header_regexp":
        return childrenOf(node).map((each) =>
          one(name, each.name, textIn(each.fields?.get("pattern"))),
        );
      case "query":
        return childrenOf(node).map((each) =>
          one(name, ...texts(each).map((value) => `${each.name}=${value}`)),
        );
      case "header":
        return childrenOf(node).flatMap((each) =>
          each.items === null
            ? [one(name, `!${each.name}`)]
            : this.#anyOf(
                of,
                texts(each).map((value) => [one(name, each.name, value)]),
              ),
        );
      case "not":
        return [{ ...one("not"), block: this.#sets(node, of) }];
      default:
        return [one(name, textIn(node))];
    }
  }
}

const EMPTY: YamlNode = { name: "", line: 1, value: null, fields: null, items: null };

/** A number is in nanoseconds. */
const windowIn = (node: YamlNode): string =>
  typeof node.value === "number" ? `${node.value}ns` : textIn(node);
