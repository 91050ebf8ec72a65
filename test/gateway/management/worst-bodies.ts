// Bodies that cost as much as a body can: families that grow to each bound, and a climb from the worst.
import type { InterfaceName } from "#src/gateway/management/interface-name.ts";

export interface WorstBody {
  readonly name: string;
  readonly interface: InterfaceName;
  readonly what: string; // method and path; below the base, except for a dry run
  readonly body: string;
}

/** What a body is made of; each number is a gene that the climb changes. */
export interface Genes {
  readonly count: number; // of members or items
  readonly letters: number; // of each name
  readonly value: number; // letters of each text below
  readonly depth: number;
}

type Make = (genes: Genes) => string;

export interface Family {
  readonly name: string;
  readonly interface: InterfaceName;
  readonly what: string;
  readonly make: Make;
}

const nameOf = (index: number, letters: number): string =>
  index.toString(36).padStart(letters, "rateperquota_max");

const map = ({ count, letters }: Genes, value: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, i) => `"${nameOf(i, letters)}":${value(i)}`).join(",")}}`;
const list = ({ count }: Genes, value: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, i) => value(i)).join(",")}]`;
const words = ({ value }: Genes): string => `"${"x".repeat(value)}"`;
const deep = ({ depth }: Genes, inside: string): string =>
  `${"[".repeat(depth)}${inside}${"]".repeat(depth)}`;

const RECORDS = [
  ["admin", "POST /admin/org/keys"],
  ["admin", "PUT /admin/org/keys/alice"],
  ["dashboard", "POST /api/users"],
  ["dashboard", "POST /api/apis"],
  ["dashboard", "POST /api/portal/policies"],
  ["dashboard", "PUT /api/portal/policies/gold"],
  ["broker", "POST /api/profiles"],
  ["portal", "POST /portal-api/webhooks"],
  ["studio", "POST /api/v1/catalogues"],
] as const;

const everywhere = (name: string, make: Make): readonly Family[] =>
  RECORDS.map(([at, what]) => ({ name, interface: at, what, make }));

const at = (name: string, [where, what]: readonly [InterfaceName, string], make: Make): Family => ({
  name,
  interface: where,
  what,
  make,
});

const KEYS = ["admin", "POST /admin/org/keys"] as const;
const KEY = ["admin", "PUT /admin/org/keys/alice"] as const;
const POLICIES = ["dashboard", "POST /api/portal/policies"] as const;
const APIS = ["dashboard", "POST /api/apis"] as const;
const USERS = ["dashboard", "POST /api/users"] as const;
const HOOKS = ["portal", "POST /portal-api/webhooks"] as const;
const PROFILES = ["broker", "POST /api/profiles"] as const;
const SEARCH = ["dashboard", "POST /api/users/search"] as const;
const DRY_RUN = ["admin", "POST /admin/dry-run"] as const;

/** As long as a search may be, and then longer. */
const query = ({ count, letters }: Genes, part: string): string =>
  `{"filters":{"query":"${part.repeat(Math.min(count * letters, 100_000))}"}}`;

/** With a limit each, and a path that no other has. */
const endpoints = (genes: Genes, path: (index: number) => string): string =>
  list(genes, (i) => `{"path":"/${path(i)}","method":"GET","rate":${i + 1},"per":60}`);

const OF_RECORDS: readonly Family[] = [
  ...everywhere("unknown members", (genes) => map(genes, () => "1")),
  ...everywhere("unknown members that are lists", (genes) => map(genes, () => deep(genes, ""))),
  ...everywhere("one long text", (genes) => `{"x":"${"x".repeat(genes.count * genes.letters)}"}`),
  ...everywhere(
    "escapes",
    (genes) => `{"x":"${String.raw`\"`.repeat(genes.count * genes.letters)}"}`,
  ),
  ...everywhere("members twice", (genes) => map({ ...genes, letters: 1 }, () => '1,"a":1')),
  ...everywhere("numbers beyond all", (genes) => map(genes, () => "1e999")),
  ...everywhere("no JSON at its end", (genes) => map(genes, () => words(genes)).slice(0, -1)),
  at("wrong tags", KEYS, (genes) => `{"tags":${list(genes, () => "1")}}`),
  at("tags", KEY, (genes) => `{"tags":${list(genes, () => words(genes))}}`),
  at("metadata", KEY, (genes) => `{"meta_data":${map(genes, () => deep(genes, words(genes)))}}`),
  at("rights to nothing", KEYS, (genes) => `{"access_rights":${map(genes, () => "{}")}}`),
  at("rights with typing errors", KEY, (genes) => {
    const right = map({ ...genes, count: 8 }, () => "1");
    return `{"access_rights":${map({ ...genes, count: genes.count / 9 }, () => right)}}`;
  }),
  at("endpoints of a right", KEYS, (genes) => {
    const limits = list(
      { ...genes, count: genes.count / 8 },
      (i) =>
        `{"path":"/${nameOf(i, genes.letters)}*","methods":[{"name":"GET","limit":{"rate":1,"per":1}}]}`,
    );
    return `{"access_rights":{"orders":{"endpoints":${limits}}}}`;
  }),
  at("policies of a key", KEY, (genes) => `{"apply_policies":${list(genes, (i) => `"p${i}"`)}}`),
  at("secrets", KEYS, (genes) => `{"basic_auth_data":${map(genes, () => words(genes))}}`),
  at("a pattern", KEYS, (genes) => {
    const pattern = "$gw_meta.a|".repeat(genes.count * genes.letters);
    return `{"meta_data":{"a":"b","rate_limit_pattern":"${pattern}"}}`;
  }),
  at("rights of a policy", POLICIES, (genes) => `{"access_rights":${map(genes, () => "{}")}}`),
  at(
    "a pasted policy",
    POLICIES,
    (genes) => `{"access_rights":{},${map(genes, () => "1").slice(1)}`,
  ),
  at(
    "endpoints",
    APIS,
    (genes) =>
      `{"listen":"/e","endpoints":${endpoints({ ...genes, count: genes.count / 5 }, (i) => nameOf(i, genes.letters))}}`,
  ),
  at(
    "endpoints with stars",
    APIS,
    (genes) =>
      `{"listen":"/s","endpoints":${endpoints({ ...genes, count: genes.count / 5 }, (i) => `${i}${"*a".repeat(genes.letters)}`)}}`,
  ),
  at("endpoints with methods that are none", APIS, (genes) => {
    const each = list(
      { ...genes, count: genes.count / 3 },
      (i) => `{"path":"/${i}","method":"${nameOf(i, genes.letters)}"}`,
    );
    return `{"listen":"/m","endpoints":${each}}`;
  }),
  at("one path of stars", APIS, (genes) => {
    const path = `/${"*a".repeat(genes.count * genes.letters)}`;
    return `{"listen":"/p","endpoints":[{"path":"${path}","method":"GET","rate":1,"per":1}]}`;
  }),
  at(
    "a classic API",
    APIS,
    (genes) => `{"api_id":"c","proxy":{"listen_path":"/c"},${map(genes, () => "1").slice(1)}`,
  ),
  at("operations", APIS, (genes) => {
    const some = { ...genes, count: genes.count / 8 };
    const operations = map(some, () => '{"rateLimit":{"enabled":true,"rate":1,"per":"1s"}}');
    const paths = map(some, (i) => `{"get":{"operationId":"${nameOf(i, genes.letters)}"}}`);
    return `{"openapi":"3.0.3","paths":${paths.replaceAll('"rate', '"/rate')},"x-gw-api-gateway":{"server":{"listenPath":{"value":"/o"}},"middleware":{"operations":${operations}}}}`;
  }),
  at(
    "a user's permissions",
    USERS,
    (genes) => `{"email_address":"a@b","user_permissions":${map(genes, () => "1")}}`,
  ),
  at(
    "a long address",
    USERS,
    (genes) => `{"email_address":"${"@".repeat(genes.count * genes.letters)}"}`,
  ),
  at(
    "events that are none",
    HOOKS,
    (genes) => `{"URL":"http://a","Events":${list(genes, (i) => `"${nameOf(i, genes.letters)}"`)}}`,
  ),
  at(
    "events",
    HOOKS,
    (genes) => `{"URL":"http://a","Events":${list(genes, () => '"QuotaExceeded"')}}`,
  ),
  at(
    "headers",
    HOOKS,
    (genes) =>
      `{"URL":"http://a","Headers":${list({ ...genes, count: genes.count / 3 }, () => `{"Name":"x","Value":${words(genes)}}`)}}`,
  ),
  at(
    "headers that are none",
    HOOKS,
    (genes) =>
      `{"URL":"http://a","Headers":${list({ ...genes, count: genes.count / 3 }, () => '{"Name":" ","Value":"\\u0100"}')}}`,
  ),
  at(
    "a long receiver",
    HOOKS,
    (genes) => `{"URL":"http://${"a.".repeat(genes.count * genes.letters)}"}`,
  ),
  at(
    "group mappings",
    PROFILES,
    (genes) => `{"UserGroupMapping":${map(genes, () => words(genes))}}`,
  ),
  at("a provider", PROFILES, (genes) => `{"ProviderConfig":${map(genes, () => words(genes))}}`),
];

/** Requests that are not about records, and complete definitions. */
const OTHER_FAMILIES: readonly Family[] = [
  at("a search of the longest text", SEARCH, (genes) => query(genes, "ab ")),
  at("a search of wildcards", SEARCH, (genes) => query(genes, "%_")),
  at("a search of quotation marks", SEARCH, (genes) => query(genes, '\\"')),
  at("a search of two letters", SEARCH, () => '{"filters":{"query":"an"}}'),
  at("a search that is unknown", SEARCH, (genes) => `{"filters":${map(genes, () => "1")}}`),
  at("a dry run of unknown members", DRY_RUN, (genes) => map(genes, () => "1")),
  at("a dry run of many headers", DRY_RUN, (genes) => {
    return `{"path":"/orders","headers":${map(genes, () => words(genes))}}`;
  }),
  at("a dry run of wrong headers", DRY_RUN, (genes) => {
    return `{"path":"/orders","headers":${map(genes, () => deep(genes, "1"))}}`;
  }),
  at("a dry run of a long path", DRY_RUN, ({ count, letters }) => {
    return `{"path":"/s/${"a".repeat(count * letters)}"}`;
  }),
  at("a dry run of escapes", DRY_RUN, ({ count, letters }) => {
    return `{"path":"/s/${"%41/../%2e".repeat((count * letters) / 10)}"}`;
  }),
  at("a dry run of slashes", DRY_RUN, ({ count, letters }) => {
    return `{"path":"${"/".repeat(count * letters)}x"}`;
  }),
  at("a dry run of depth", DRY_RUN, ({ count, letters }) => {
    return `${"[".repeat((count * letters) / 2)}${"]".repeat((count * letters) / 2)}`;
  }),
  at("a dry run of a large key", DRY_RUN, () => '{"path":"/orders","key":"alice"}'),
  at("a reset of a budget", ["admin", "POST /admin/org/keys/alice/budgets/reset"], (genes) => {
    return `{"budget":"${"header:x|".repeat((genes.count * genes.letters) / 9)}"}`;
  }),
  at("a whole world", KEYS, (genes) => {
    const some = { ...genes, count: genes.count / 4 };
    const limits = map(some, () => '{"rate":1,"per":60}');
    return `{"apis":${limits},"policies":${limits},"keys":${limits}}`;
  }),
  at("a whole world as an API", APIS, (genes) => {
    const some = { ...genes, count: genes.count / 4 };
    const apis = map(some, (i) => `{"listen":"/${i}"}`);
    return `{"listen":"/w","apis":${apis},"keys":${map(some, () => '{"rate":1}')}}`;
  }),
  at("a target of slashes", APIS, ({ count, letters }) => {
    return `{"listen":"/t","target":"http://a${"/".repeat(count * letters)}x"}`;
  }),
  at("a receiver of slashes", HOOKS, ({ count, letters }) => {
    return `{"URL":"http://a${"/".repeat(count * letters)}x"}`;
  }),
  at("a small change of a large key", KEY, () => '{"rate":7}'),
  at("a small change of a large API", ["dashboard", "PUT /api/apis/many"], () => '{"name":"x"}'),
  at("a small change of a large policy", ["dashboard", "PUT /api/portal/policies/gold"], () => {
    return '{"name":"x"}';
  }),
];

export const RIGHTS = { access_rights: { orders: {} } };

/** What the bodies are about: a key, a policy, and an API with many endpoints. */
export const FILLING: readonly WorstBody[] = [
  [APIS, { api_id: "orders", proxy: { listen_path: "/orders" } }] as const,
  [
    APIS,
    {
      api_id: "many",
      listen: "/many",
      endpoints: Array.from({ length: 1_000 }, (_, i) => ({
        path: `/${i}*a`,
        method: "GET",
        rate: 1,
        per: 1,
      })),
    },
  ] as const,
  [POLICIES, { id: "gold", rate: 1, per: 1, ...RIGHTS }] as const,
  [KEYS, { key_id: "alice", ...RIGHTS }] as const,
].map(([[where, what], body]) => ({
  name: "before",
  interface: where,
  what,
  body: JSON.stringify(body),
}));

export const FAMILIES: readonly Family[] = [...OF_RECORDS, ...OTHER_FAMILIES];

const LARGEST = 1_048_576;

/** Grown into the bounds from both sides, at every family: just within one of them, and far beyond. */
export const CORNERS: readonly Genes[] = [
  { count: 8_190, letters: 3, value: 0, depth: 0 },
  { count: 4_000, letters: 12, value: 1, depth: 0 },
  { count: 1_000, letters: 60, value: 1, depth: 0 },
  { count: 250, letters: 240, value: 8, depth: 16 },
  { count: 250, letters: 8, value: 200, depth: 1 },
  { count: 100_000, letters: 6, value: 1, depth: 0 },
  { count: 8_000, letters: 120, value: 0, depth: 0 },
];

export const bodyOf = (family: Family, genes: Genes): WorstBody | null => {
  const body = family.make(genes);
  return body.length > LARGEST
    ? null
    : { name: family.name, interface: family.interface, what: family.what, body };
};

/** From one body to worse ones: a gene at a time is made larger or smaller while that costs more. */
export async function climb(
  family: Family,
  from: Genes,
  costOf: (body: WorstBody) => Promise<number>,
  rounds: number,
): Promise<{ readonly genes: Genes; readonly cost: number }> {
  let best = { genes: from, cost: 0 };
  const first = bodyOf(family, from);
  if (first !== null) best = { genes: from, cost: await costOf(first) };
  for (let round = 0; round < rounds; round++) {
    const before = best;
    for (const gene of ["count", "letters", "value", "depth"] as const)
      for (const by of [0.5, 0.8, 1.25, 2]) {
        const value = Math.min(
          gene === "depth" ? 28 : Infinity,
          Math.ceil(before.genes[gene] * by),
        );
        const genes = { ...before.genes, [gene]: value };
        const body = value === before.genes[gene] ? null : bodyOf(family, genes);
        if (body === null) continue;
        const cost = await costOf(body);
        if (cost > best.cost) best = { genes, cost };
      }
    if (best === before) break;
  }
  return best;
}
