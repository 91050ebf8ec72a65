// Reads rate_limit of the module caddy-ratelimit from a Caddyfile of Caddy 2, and from JSON.
import { plainHost } from "../request-parts.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { maskValue } from "../masked.ts";
import { Questions } from "../questions.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
  ReadRole,
  ReadRule,
  ReadStatement,
  RequestFacts,
} from "../reading.ts";
import { graver, IRRELEVANT } from "../roles.ts";
import { findOnce, nameApart } from "../rule-parts.ts";
import { SOURCE_NAMES, sourceOf, type Source } from "../sources.ts";
import { SiteReader, type ReadSite } from "./handlers.ts";
import { isCaddyJson, parseCaddyJson } from "./json.ts";
import { hostTest } from "./matchers.ts";
import { parseCaddyfile, type CaddyDirective } from "./parse.ts";
import type { ZoneWorld } from "./zones.ts";

const SITE = /^(?:\{\$|[^\s#{(])[^\r\n\u2028\u2029;]*\{[ \t]*$/m;
const DIRECTIVE = /^[ \t\uFEFF]*(?:reverse_proxy|php_fastcgi|file_server|rate_limit)\b[^;:=\n]*$/m;

export const CADDY_READER: ConfigurationReader = {
  kind: "caddy",
  isProvedBy: "documentation",
  recognizes: (main) =>
    /(?:^|[/:])Caddyfile[^/]*$|\.caddyfile$/.test(main.file) ||
    isCaddyJson(main) ||
    (SITE.test(main.text) && DIRECTIVE.test(main.text)),
  read: (main, includes, values) => new CaddyFile(main, includes, values).read(),
};

interface Site extends ReadSite {
  readonly addresses: readonly string[]; // hosts; empty: every host
}

class CaddyFile {
  readonly #main: ConfigurationFile;
  readonly #includes: Includes;
  readonly #questions: Questions;
  readonly #headers = new Set<string>();
  readonly #roles = new Map<CaddyDirective, ReadRole>();
  readonly #problems: string[] = [];

  constructor(main: ConfigurationFile, includes: Includes, values: ReadonlyMap<string, string>) {
    this.#main = main;
    this.#includes = includes;
    this.#questions = new Questions(values);
  }

  read(): ReadConfiguration | Failure {
    const blocks = isCaddyJson(this.#main) ? parseCaddyJson(this.#main) : this.#parseCaddyfile();
    if (isFailure(blocks)) return blocks;
    const options = blocks.find(({ words }) => words.length === 0)?.block ?? [];
    const sites = this.#readSites(blocks, new SiteReader(this.#world(), options));
    const siteAt = this.#selector(sites);
    const zonesAt = findOnce((request) => siteAt(request)?.zonesOf(request) ?? new Set());
    const zones = new Set(sites.flatMap((site) => site.zones));
    const rules = [...zones].map((zone): ReadRule => {
      const { name, directive, keyOf, limit, options: how, written, sharesCounters } = zone;
      return {
        id: `zone ${name}`,
        counters: `zone ${name}`,
        file: directive.file,
        line: directive.line,
        limit,
        written: written!,
        options: how,
        ...(sharesCounters === undefined ? {} : { sharesCounters }),
        isDryRun: false,
        status: 429,
        budgetOf: (request) => (zonesAt(request).has(zone) ? keyOf(request) : null),
      };
    });
    if (this.#problems.length > 0) return new Failure(...this.#problems);
    const questions = this.#questions;
    return {
      kind: CADDY_READER.kind,
      order: "in turn",
      rules: nameApart(rules),
      headers: [...this.#headers],
      statements: blocks.flatMap((each) => this.#statementsOf(each, true)),
      get questions() {
        return questions.all;
      },
    };
  }

  #parseCaddyfile(): readonly CaddyDirective[] | Failure {
    return parseCaddyfile(this.#withVariables(this.#main), (name) => {
      const files = this.#includes(name);
      return isFailure(files) ? files : files.map((each) => this.#withVariables(each));
    });
  }

  /** Caddy puts variables of its environment into the text, before it reads words. Unknown ones stay. */
  #withVariables({ file, text }: ConfigurationFile): ConfigurationFile {
    const filled = text.replaceAll(
      /\{\$(\w+)(?::([^{}\n]*))?\}/g,
      (whole, name: string, otherwise: string | undefined, at: number) => {
        const line = text.slice(0, at).split("\n").length;
        const value = this.#questions.takeValue(name, otherwise ?? "", { file, line });
        return value.replaceAll(/\s/g, " ") || (otherwise === undefined ? whole : "");
      },
    );
    return { file, text: filled };
  }

  #readSites(blocks: readonly CaddyDirective[], reader: SiteReader): readonly Site[] {
    return blocks
      .filter(({ words, block }) => block !== null && words.length > 0 && !/^[(&]/.test(words[0]!))
      .map((each) => {
        this.#note(each, { role: "read", consequence: "" });
        const addresses = each.words
          .flatMap((word) => word.split(","))
          .filter((word) => word !== "")
          .map((word) =>
            word
              .replace(/^https?:\/\//, "")
              .replace(/[/:].*$/, "")
              .toLowerCase(),
          );
        const isOpen = addresses.includes("");
        return { ...reader.read(each.block!), addresses: isOpen ? [] : addresses };
      });
  }

  /** A site with the host comes before one with an asterisk, and this before one of every host. */
  #selector(sites: readonly Site[]): (request: RequestFacts) => Site | null {
    const hostOf = (request: RequestFacts): string => this.#hostOf(request, sites);
    const exact = new Map<string, Site>();
    for (const site of sites.toReversed()) for (const each of site.addresses) exact.set(each, site);
    const patterns = sites
      .flatMap((site) =>
        site.addresses.filter(isPattern).map((each) => {
          const length = each.replaceAll(/\*|\{\$\w+\}/g, "").length; // the longest comes first
          return { site, length, isIn: hostTest(each, hostOf) };
        }),
      )
      .toSorted((a, b) => b.length - a.length);
    const open = sites.find(({ addresses }) => addresses.length === 0) ?? null;
    return findOnce((request) => {
      if (sites.length === 1 && request.host === "") return sites[0]!;
      const found = exact.get(hostOf(request)) ?? patterns.find(({ isIn }) => isIn(request))?.site;
      return found ?? open;
    });
  }

  /** In lower case and without its port. A log may not have it, and then the first site with a limit is taken. */
  #hostOf({ host }: RequestFacts, sites: readonly Site[]): string {
    if (host !== "") return plainHost(host);
    const usual = sites.find(({ zones }) => zones.length > 0) ?? sites[0];
    return this.#questions.takeValue("host", usual?.addresses[0] ?? "", {
      file: this.#main.file,
      line: 1,
    });
  }

  #world(): ZoneWorld {
    return {
      headers: this.#headers,
      hostOf: ({ host }) => plainHost(host),
      fail: ({ file, line }, what) => this.#problems.push(`${file}:${line}: ${what}`),
      note: (directive, role, consequence = "") => this.#note(directive, { role, consequence }),
      takeSource: (name, directive) =>
        this.#takeSource(name, directive, `Caddy may not know {${name}}`),
      takeRequests: (directive) => {
        const name = `requests_of_${directive.words[0]}_at_line_${directive.line}`;
        const source = this.#takeSource(name, directive, "this reader does not know the matcher");
        return (request) => source(request) !== null;
      },
    };
  }

  #takeSource(written: string, directive: CaddyDirective, why: string): Source {
    const name = written.replaceAll(/\W+/g, "_");
    const taken = this.#questions.takeValue(name, "all", directive);
    this.#note(directive, { role: "question", consequence: `${why}; ${taken} is taken` });
    const source = sourceOf(taken, this.#headers);
    if (source !== null) return source;
    this.#problems.push(`--set ${name}=${taken} is no source; write ${SOURCE_NAMES}`);
    return () => null;
  }

  #note(written: CaddyDirective, { role, consequence }: ReadRole): void {
    const directive = written.of ?? written;
    const known = this.#roles.get(directive) ?? IRRELEVANT;
    const both = new Set([known.consequence, consequence].filter((each) => each !== ""));
    this.#roles.set(directive, {
      role: graver(known.role, role),
      consequence: [...both].join("; "),
    });
  }

  #statementsOf(directive: CaddyDirective, isTop: boolean): readonly ReadStatement[] {
    const { file, line, words, block } = directive;
    const known = this.#roles.get(directive);
    const isOption = isTop && words.length === 0;
    const role = known ?? roleOfDirective(words);
    const text = directive.text ?? [maskWords(words), ...(block === null ? [] : ["{"])].join(" ");
    return [
      { file, line, text, ...role },
      ...(isOption ||
      /^(?:rate_limit|zone|handle\w*|route|match|not)$/.test(words[0] ?? "") ||
      isTop
        ? (block ?? []).flatMap((each) => this.#statementsOf(each, false))
        : []),
    ];
  }
}

/** An address with an asterisk, or with a variable that only production has. */
const isPattern = (address: string): boolean => address.includes("*") || address.includes("{$");

/** A directive that no limit has met: another module may limit too. */
const roleOfDirective = ([word = ""]: readonly string[]): ReadRole =>
  /rate.?limit|throttle|defender|crowdsec|waf/i.test(word)
    ? {
        role: "not understood",
        consequence: "it may limit requests, and this reader does not read it",
      }
    : IRRELEVANT;

const maskWords = (words: readonly string[]): string => {
  const [first = "", ...values] = words;
  if (/^basic_?auth$/.test(first)) return `${first} ***`;
  return [first, ...values.map((value) => maskValue(first, value))].join(" ");
};
