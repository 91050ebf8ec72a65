// What tests of the reader of nginx share: it reads a text, and finds the rules and budgets of a request.
import { Failure, isFailure, requireValue } from "#src/kit/reading/failure.ts";
import { NGINX_READER } from "#src/lab/implementations/nginx/read.ts";
import type { ReadConfiguration, RequestFacts } from "#src/lab/implementations/reading.ts";

export const FILE = "nginx.conf";

const readAll = (
  text: string,
  others: Readonly<Record<string, string>> = {},
  set: Readonly<Record<string, string>> = {},
): ReadConfiguration | Failure =>
  NGINX_READER.read(
    { file: FILE, text },
    (pattern) => {
      if (pattern.includes("*")) return [];
      const found = others[pattern];
      return found === undefined
        ? new Failure(`include ${pattern}: ${pattern} does not exist`)
        : [{ file: pattern, text: found }];
    },
    new Map(Object.entries(set)),
  );

export const read = (...args: Parameters<typeof readAll>): ReadConfiguration =>
  requireValue(readAll(...args));

export const problemsOf = (...args: Parameters<typeof readAll>): readonly string[] => {
  const found = readAll(...args);
  return isFailure(found) ? found.problems : [];
};

const request = (
  target: string,
  facts: Partial<RequestFacts> & { readonly headers?: Readonly<Record<string, string>> } = {},
): RequestFacts => ({
  address: "192.0.2.1",
  method: "GET",
  target,
  host: "",
  header: (name) => facts.headers?.[name] ?? null,
  ...facts,
});

/** The ids of the rules that count a request, with its budgets. */
export const budgets = (
  { rules }: ReadConfiguration,
  ...args: Parameters<typeof request>
): Readonly<Record<string, string>> => {
  const one = request(...args);
  return Object.fromEntries(
    rules.flatMap((rule) => {
      const budget = rule.budgetOf(one);
      return budget === null ? [] : [[rule.id, budget]];
    }),
  );
};

export const zone = (key: string, name = "a"): string =>
  `limit_req_zone ${key} zone=${name}:1m rate=10r/s;\n`;

/** The budget of a request whose key is `key`. */
export const budgetBy = (
  key: string,
  tables: string,
  ...args: Parameters<typeof request>
): string | undefined =>
  budgets(read(`${tables}${zone(key)}server { limit_req zone=a; }`), ...args)["zone a, burst 0"];

/** The locations that limit a request, each by a zone of its own. */
export function locationOf(server: string, target: string, host = ""): string {
  const names = [...new Set([...server.matchAll(/zone=(\w+)/g)].map((match) => match[1]!))];
  const text = `${names.map((name) => zone("all", name)).join("")}${server}`;
  return Object.keys(budgets(read(text), target, { host }))
    .map((id) => /zone (\w+)/.exec(id)![1])
    .join(" ");
}

export const blockOf = (name: string, more = ""): string => `{ limit_req zone=${name}; ${more} }`;
