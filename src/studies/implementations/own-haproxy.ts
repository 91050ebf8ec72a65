// The file of a user as HAProxy is started with it: what decides about limits stays as it is.
import { isFailure } from "../../kit/reading/failure.ts";
import { parseHaproxy, type Line, type Section } from "../../lab/implementations/haproxy/parse.ts";
import { HAPROXY_READER } from "../../lab/implementations/haproxy/read.ts";
import type { Includes, ReadConfiguration } from "../../lab/implementations/reading.ts";
import type { Site } from "../../lab/implementations/translation.ts";
import { GLOBAL_OF_HAPROXY, HAPROXY_MARGIN_US } from "./draw-haproxy.ts";
import type { OwnFile, OwnProgram } from "./own-file.ts";

export const OWN_HAPROXY: OwnProgram = {
  reader: HAPROXY_READER,
  main: "haproxy.cfg",
  marginOf: () => HAPROXY_MARGIN_US,
  decisionsOf: ({ rules }) => ({ refusals: [...new Set(rules.map(({ status }) => status))] }),
  filesOf: ({ main, includes, configuration }: OwnFile) => {
    const { questions } = configuration;
    const sections = parseHaproxy(
      main,
      (name) => questions.find((each) => each.name === name)?.value ?? "",
    );
    if (isFailure(sections)) return sections;
    const entry = entryOf(sections, configuration);
    return (site) => {
      const lists = new Map<string, string>();
      const text = sections.flatMap((section) => {
        const lines = linesOf(section, section === entry ? site : null, configuration);
        if (lines === null) return [];
        const name = section.head.words.map(quote).join(" ");
        return [name, ...lines.map((words) => `  ${withLists(words, includes, site, lists)}`)];
      });
      return {
        "haproxy.cfg": [GLOBAL_OF_HAPROXY, ...text, ""].join("\n"),
        ...Object.fromEntries(lists),
      };
    };
  },
};

type Words = readonly string[];

/** Sections of other servers, certificates and logs. */
const LEFT_OUT =
  /^(?:global|peers|resolvers|mailers|cache|ring|program|log-forward|crt-store|acme)$/;

/** Lines that need files, servers or an address of the production. */
const DROPPED =
  /^(?:bind|server|server-template|default-server|log|log-format\S*|errorfiles?|errorloc\w*|stats|http-check|tcp-check|cookie|email-alert|use-server|use-fcgi-app|filter|compression|unique-id-\w+|capture|monitor\S*|fullconn|maxconn|dispatch|source|option (?:httpchk|tcp-check|mysql-check|redis-check|http_proxy|transparent|forwardfor))\b/;

/** `site`: of the proxy that gets the requests. Null: the section is left out. */
function linesOf(
  { kind, lines }: Section,
  site: Site | null,
  { rules }: ReadConfiguration,
): readonly Words[] | null {
  if (LEFT_OUT.test(kind)) return null;
  const isLimit = ({ line, file }: Line): boolean =>
    rules.some((rule) => rule.line === line && rule.file === file);
  const remaining = lines
    .map((each) => (isLimit(each) ? each.words : admitInstead(each.words)))
    .filter((words) => !DROPPED.test(words.join(" ")));
  if (kind === "defaults")
    return [...remaining, ["timeout", "client", "60s"], ["timeout", "tarpit", "20ms"]];
  const entry =
    site === null
      ? []
      : [
          ["bind", `127.0.0.1:${site.port}`],
          [
            "http-request",
            "return",
            "status",
            "204",
            "hdr",
            "weir-generation",
            `${site.generation}`,
          ],
        ];
  const [bind, ready] = entry;
  return [
    ...(bind === undefined ? [] : [bind, [...ready!, "if", "{", "path", "/weir-ready", "}"]]),
    ...remaining,
    // Admitted requests end here, after all rules.
    ...(kind === "backend" || kind === "listen"
      ? [["http-request", "return", "status", "200"]]
      : []),
  ];
}

/** A refusal that is no limit ends the way of a request, with another status than those of limits. */
function admitInstead(words: Words): Words {
  if (!/^http-request (?:deny|tarpit|reject|silent-drop)\b/.test(words.join(" "))) return words;
  const condition = words.findIndex((word) => word === "if" || word === "unless");
  const when = condition < 0 ? [] : words.slice(condition);
  return ["http-request", "return", "status", "200", ...when];
}

/** The proxy by which the reader lets requests come. */
function entryOf(
  sections: readonly Section[],
  { questions, rules }: ReadConfiguration,
): Section | undefined {
  const all = sections.filter(({ kind }) => kind === "frontend" || kind === "listen");
  const named = questions.find(({ name }) => name === "frontend")?.value;
  const holding = ({ lines }: Section): boolean =>
    lines.some(({ line }) => rules.some((rule) => rule.line === line));
  const limiting = sections.filter(holding).map(({ name }) => name);
  return (
    all.find(({ name }) => name === named) ??
    all.find(holding) ??
    all.find(({ lines }) =>
      lines.some(
        ({ words: [first, name] }) => first!.endsWith("_backend") && limiting.includes(name!),
      ),
    ) ??
    all[0]
  );
}

/** Files of conditions are written next to the configuration. */
function withLists(
  words: Words,
  includes: Includes,
  { dir }: Site,
  lists: Map<string, string>,
): string {
  return words
    .map((word, at) => {
      if (words[at - 1] !== "-f") return quote(word);
      const found = includes(word);
      if (isFailure(found) || found.length === 0) return quote(word);
      const name = `list-${lists.size}`;
      lists.set(name, found.map(({ text }) => text).join("\n"));
      return quote(`${dir}/${name}`);
    })
    .join(" ");
}

const quote = (word: string): string =>
  word !== "" && !/[\s#'"\\$]/.test(word)
    ? word
    : word.includes("'")
      ? word.replaceAll(/[\s#'"\\$]/g, "\\$&")
      : `'${word}'`;
