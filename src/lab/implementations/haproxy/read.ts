// Reads the limits of HAProxy: stick tables, the rules that track and count in them, and those that refuse by a rate.
import { isOfKubernetes } from "../kubernetes/resources.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
  ReadStatement,
} from "../reading.ts";
import { IRRELEVANT, READ } from "../roles.ts";
import { findOnce } from "../rule-parts.ts";
import { parseHaproxy, problemAt, type Line, type Section, type Words } from "./parse.ts";
import { conditionOf, rateIn, truthOf, type ConditionParts } from "./read-conditions.ts";
import { HaproxyNotes } from "./read-notes.ts";
import { roleOf } from "./read-roles.ts";
import { keyIn, rulesOf } from "./read-rules.ts";
import type { HaproxyPassage } from "./read-samples.ts";
import {
  answering,
  passThrough,
  stepsOf,
  tableOf,
  type StickTable,
  type HaproxyStep,
} from "./read-steps.ts";

export const HAPROXY_READER: ConfigurationReader = {
  kind: "haproxy",
  isProvedBy: "program",
  // A brace after the name, on its line or the next one, begins a backend of VCL.
  // `listen 80` is nginx without its semicolon.
  recognizes: ({ text }) =>
    /^[ \t]*(?:global|defaults|(?:frontend|backend|listen(?![ \t]+[\d.]+[ \t]*$))[ \t]+[\w.-]+)\b[^\n:{=;]*$(?!\s*\{)/m.test(
      text,
    ) && !isOfKubernetes(text),
  read: readHaproxy,
};

function readHaproxy(
  main: ConfigurationFile,
  includes: Includes,
  values: ReadonlyMap<string, string>,
): ReadConfiguration | Failure {
  const notes = new HaproxyNotes(values);
  const sections = parseHaproxy(main, (name, at) => notes.questions.takeValue(name, "", at));
  return isFailure(sections) ? sections : new HaproxyReader(sections, includes, notes).read();
}

/** A file with more is no configuration that anybody runs, and would be compared for minutes. */
const MOST_LIMITS = 2_000;

class HaproxyReader {
  readonly #sections: readonly Section[];
  readonly #includes: Includes;
  readonly #notes: HaproxyNotes;
  readonly #tables = new Map<string, StickTable>();
  readonly #problems: string[] = [];
  #position = 0;

  constructor(sections: readonly Section[], includes: Includes, notes: HaproxyNotes) {
    this.#sections = sections;
    this.#includes = includes;
    this.#notes = notes;
  }

  read(): ReadConfiguration | Failure {
    this.#readTables();
    const frontend = this.#frontend();
    const chain = frontend === null ? [] : this.#compile(frontend);
    const choose = frontend === null ? (): null => null : this.#chooserOf(frontend);
    const backends = new Map<string, readonly HaproxyStep[]>();
    for (const name of frontend === null ? [] : backendsOf(this.#linesOf(frontend))) {
      const backend = this.#proxies("backend", "listen").find((each) => each.name === name);
      if (backend !== undefined && backend !== frontend) backends.set(name, this.#compile(backend));
    }
    const outcomeOf = findOnce((request) => {
      const passage = { request, variables: new Map<string, string>() };
      return passThrough(
        passage,
        chain,
        () => backends.get(choose(passage) ?? "") ?? [],
        (table, value) => keyIn(this.#tables.get(table), value),
      );
    });
    const steps = [...chain, ...[...backends.values()].flat()];
    this.#requireTables(steps);
    const limits = steps.filter(({ kind }) => kind === "limit");
    if (limits.length > MOST_LIMITS)
      return new Failure(
        `${limits[0]!.line.file} has ${limits.length} limits, over ${MOST_LIMITS}; split it`,
      );
    const [notes, problems] = [this.#notes, this.#problems];
    const rules = rulesOf({ steps, tables: this.#tables, notes, outcomeOf, problems });
    if (problems.length > 0) return new Failure(...problems);
    return {
      kind: HAPROXY_READER.kind,
      order: "in turn",
      rules,
      headers: [...notes.headers],
      statements: this.#statements(frontend),
      questions: notes.questions.all,
    };
  }

  #readTables(): void {
    for (const section of this.#sections)
      for (const line of section.lines) {
        const [first, second = ""] = line.words;
        const isOfPeers = section.kind === "peers" && first === "table";
        if (first !== "stick-table" && !isOfPeers) continue;
        const name = isOfPeers ? `${section.name}/${second}` : section.name;
        const table = tableOf(name, line, line.words);
        if (isFailure(table)) this.#problems.push(table.message);
        else this.#tables.set(name, table);
      }
  }

  #requireTables(steps: readonly HaproxyStep[]): void {
    for (const step of steps)
      if (step.kind === "track" && !this.#tables.has(step.table))
        this.#problems.push(
          problemAt(
            step.line,
            `the table ${step.table} is tracked, and no stick-table defines it; add one`,
          ).message,
        );
  }

  #proxies(...kinds: readonly string[]): readonly Section[] {
    return this.#sections.filter(({ kind }) => kinds.includes(kind));
  }

  /** The frontend that requests are taken to come by: a log has no names of frontends. */
  #frontend(): Section | null {
    const all = this.#proxies("frontend", "listen");
    const limiting = all.filter((each) => this.#isLimiting(each));
    const usual = limiting[0] ?? all[0];
    if (usual === undefined) return null;
    const isOpen = limiting.length > 1 || this.#notes.questions.values.has("frontend");
    if (!isOpen) return usual;
    const name = this.#notes.questions.takeValue("frontend", usual.name, usual.head);
    const taken = all.find((each) => each.name === name);
    if (taken === undefined)
      this.#problems.push(
        `--set frontend=${name}: there is no such frontend; there are ${all.map((each) => each.name).join(", ")}`,
      );
    this.#notes.note(
      taken?.head ?? usual.head,
      "question",
      `requests are taken to come by ${name}`,
    );
    return taken ?? usual;
  }

  /** Whether requests of the proxy meet rules with counters, its own or those of its backends. */
  #isLimiting(proxy: Section): boolean {
    const names = backendsOf(this.#linesOf(proxy));
    const backends = this.#proxies("backend", "listen").filter(({ name }) => names.includes(name));
    return [proxy, ...backends].some((each) => this.#linesOf(each).some(isCounting));
  }

  /** The lines of a proxy, after those of its defaults. */
  #linesOf(proxy: Section): readonly Line[] {
    const before = this.#sections.slice(0, this.#sections.indexOf(proxy));
    const from = proxy.head.words.indexOf("from");
    const named = from < 0 ? undefined : proxy.head.words[from + 1];
    const defaults = before.findLast(
      ({ kind, name }) => kind === "defaults" && (named === undefined || name === named),
    );
    return [...(defaults?.lines ?? []), ...proxy.lines];
  }

  #partsOfConditions(lines: readonly Line[]): ConditionParts {
    const acls = lines.filter(({ words }) => words[0] === "acl");
    return {
      acls: Map.groupBy(acls, ({ words }) => words[1] ?? ""),
      headers: this.#notes.headers,
      noteAcl: (line) => this.#notes.note(line, "read"),
      patternsOf: (file) => {
        const files = this.#includes(file);
        if (isFailure(files) || files.length === 0) return null;
        return files.flatMap(({ text }) =>
          text.split("\n").flatMap((each) => each.replace(/#.*/, "").trim() || []),
        );
      },
    };
  }

  #compile(proxy: Section): readonly HaproxyStep[] {
    const lines = this.#linesOf(proxy);
    const parts = this.#partsOfConditions(lines);
    const context = { parts, notes: this.#notes, nextPosition: () => this.#position++ };
    const linesBeginning = (name: string): readonly Line[] =>
      lines.filter(({ words }) => words[0] === name);
    return [...linesBeginning("tcp-request"), ...linesBeginning("http-request")].flatMap((line) => {
      const words = line.words.slice(1);
      const isOfTcp = /^(?:connection|session|content)$/.test(words[0] ?? "");
      return stepsOf(line, isOfTcp ? words.slice(1) : words, proxy.name, context);
    });
  }

  /** The name of the backend of a request. */
  #chooserOf(proxy: Section): (passage: HaproxyPassage) => string | null {
    const lines = this.#linesOf(proxy);
    const parts = this.#partsOfConditions(lines);
    const choices = lines.flatMap((line) => {
      const [first, name = ""] = line.words;
      if (first === "default_backend") this.#notes.note(line, "read");
      if (first !== "use_backend") return [];
      const alternatives = conditionOf(line.words, parts);
      const rate = alternatives.map(rateIn).find((each) => each !== null);
      if (rate !== undefined || name.includes("%[")) {
        const why =
          rate === undefined
            ? "the name of the backend depends on the request"
            : "requests above a rate go to another backend, which may refuse them";
        this.#notes.note(line, "not understood", why);
        return [];
      }
      this.#notes.note(line, "read");
      const truths = alternatives.map((each) => truthOf(each, answering(line, false, this.#notes)));
      return [{ name, holds: (passage: HaproxyPassage) => truths.some((each) => each(passage)) }];
    });
    const usual = lines.findLast(({ words }) => words[0] === "default_backend")?.words[1] ?? null;
    return (passage) => choices.find(({ holds }) => holds(passage))?.name ?? usual;
  }

  #statements(frontend: Section | null): readonly ReadStatement[] {
    return this.#sections.flatMap((section) => {
      const isProxy = /^(?:frontend|backend|listen|defaults)$/.test(section.kind);
      const isApart = isProxy && section !== frontend && !this.#linesOf(section).some(isCounting);
      return [
        this.#notes.statementOf(section.head, isProxy ? READ : roleOf(section.head, section)),
        ...section.lines.map((line) => {
          const isOfApart = isApart && /^(?:http|tcp)-request$|^\w+_backend$/.test(line.words[0]!);
          return this.#notes.statementOf(line, isOfApart ? IRRELEVANT : roleOf(line, section));
        }),
      ];
    });
  }
}

const isCounting = ({ words }: Line): boolean =>
  /^(?:http-request|tcp-request|use_backend)$/.test(words[0]!) &&
  /\btrack-sc|\b(?:sc\d?|src|table)_\w+(?:rate|cnt|cur)|\bsc\d?-inc/.test(words.join(" "));

const backendsOf = (lines: readonly Line[]): Words => [
  ...new Set(
    lines.flatMap(({ words: [first, name = ""] }) =>
      first === "use_backend" || first === "default_backend" ? [name] : [],
    ),
  ),
];
