// The pages of the scenario format in docs/reference, written from the tables that the decoder reads with.
import { SPECS } from "#src/limiter/spec/by-algorithm.ts";
import { SHORT_API } from "#src/limiter/world/api-members.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { CODES } from "#src/limiter/world/codes.ts";
import { KEY, POLICY, type MemberTable } from "#src/limiter/world/members.ts";
import { BEHAVIOUR_EXAMPLES, BEHAVIOUR_FIELDS } from "#src/lab/scenario/read/behaviour.ts";
import { CALL_EXAMPLES, CALL_FIELDS } from "#src/lab/scenario/read/calls.ts";
import { CHART_FIELDS } from "#src/lab/scenario/read/charts.ts";
import { HISTORY_CODES, SCENARIO_CODES } from "#src/lab/scenario/read/codes.ts";
import {
  acrossFields,
  comparisonFields,
  FILTER_FIELDS,
} from "#src/lab/scenario/read/comparisons.ts";
import { SCENARIO_FIELDS } from "#src/lab/scenario/read/decode.ts";
import { ENVIRONMENT_EXAMPLE, ENVIRONMENT_FIELDS } from "#src/lab/scenario/read/environment.ts";
import { EXPECTATION_FIELDS } from "#src/lab/scenario/read/expectations.ts";
import { FAULT_FIELDS, FAULT_WORDS } from "#src/lab/scenario/read/fault-list.ts";
import { ALGORITHM_GROUPS } from "#src/lab/scenario/read/matrix.ts";
import { frameExample } from "./format-frame.ts";
import type { FieldWord } from "#src/kit/reading/record.ts";
import { anyNumber, type Field, type Fields } from "#src/kit/reading/shape.ts";
import { TRAFFIC_SHAPES } from "#src/lab/scenario/read/traffic-shapes.ts";
import { FLOW_FIELDS, MIX_EXAMPLES } from "#src/lab/scenario/read/traffic.ts";
import { RULES_FIELDS } from "#src/lab/scenario/read/rules.ts";
import { CONFIGURATION_FIELDS } from "#src/lab/scenario/read/world.ts";
import { EXPECTATION_WORDS } from "#src/lab/scenario/read/words.ts";
import { API_VALUES } from "#src/lab/scenario/page/api-values.ts";
import { KEY_VALUES, POLICY_VALUES } from "#src/lab/scenario/page/key-values.ts";
import {
  GATEWAY_VALUES,
  LIMIT_VALUES,
  type WorldValues,
} from "#src/lab/scenario/page/world-values.ts";

const WRITTEN = `This page is generated from the tables that the decoder reads with, and a test reads every example on it.
`;

const INTRODUCTION = `# The scenario format

For everyone who writes or changes a scenario: the file, its values, its matrix and the codes of its errors. Three pages have
the parts of a file: [the world](scenario-world.md), [traffic and injected faults](scenario-traffic.md) and
[expectations](scenario-expectations.md). [Semantics](../answer/semantics.md) explains what limits do.

\`weir new limits/first\` writes a scenario to begin with, and \`weir new --list\` lists examples. A scenario is one YAML 1.2
file. Reading is strict: an unknown field is an error with its line, its column and the most similar known name. All errors of a
file are reported in one round. The exception is what depends on another error: a name is unknown only if every name could be
read. Anchors, aliases, tags, merge keys and several documents in one file are errors too.

${WRITTEN}
The examples of all four pages are items for the lists of this file:
`;

const VALUES = `## Values

| value | how it is written |
| --- | --- |
| a duration | A number with a unit, or several: \`1.1s\`, \`250ms\`, \`80us\`, \`1m\` (a minute), \`1m30s\`, \`2h\`, \`0s\`. Never a bare number. |
| seconds | Inside a world, as gateways have it: \`per: 60\` is 60 seconds. A duration is read there too: \`per: 1m\`. |
| a distribution | A duration, or \`{uniform: [1ms, 5ms]}\`, \`{exponential: 2ms}\`, \`{lognormal: {median: 1ms, p99: 10ms}}\`. |
| a cost in time | Like a duration, and \`ns\` too: \`500ns\`. |
| a row of statuses | Runs of the same status, in order: \`5*200 3*429\`. |
| a method and a path | \`GET /orders/1\`, as the client sends it. |

Times count from the start of the run.
`;

const GROUP_LINES = Object.entries(ALGORITHM_GROUPS)
  .map(([name, members]) => {
    const list =
      members.length === ALGORITHMS.length
        ? "every algorithm"
        : members.map((each) => `\`${each}\``).join(", ");
    return `- \`${name}\`: ${list}`;
  })
  .join("\n");

const MATRIX = `## The matrix

\`\`\`yaml
matrix:
  algorithm: [fixed-window, sliding-log]
  order: [[gold, silver], [silver, gold]]
\`\`\`

Every combination of the axes is a variant: here four, the last axis changing fastest. A value that is \`$algorithm\` and
nothing more, anywhere below \`world\`, \`traffic\`, \`faults\` or \`expect\`, is replaced by the value of the axis. An axis that is
not used and a variable without an axis are errors. \`$$name\` is the text \`$name\`; \`$gw_meta.name\` is the gateway's own and stays as it is.

\`where: { algorithm: fixed-window }\` limits an expectation to some cells; a list names several values of an axis.

Instead of a list, the axis \`algorithm\` may name a group, also under \`where\`:

${GROUP_LINES}
`;

const WORLD = `# The world

For everyone who writes the \`world:\` of a [scenario](scenario-format.md), or the file that [serving](../serve/serving.md) reads.

APIs, policies, keys and gateway options are written in the gateway's own field names, so that exported records can be pasted.
Pasted records may have fields without effect, with one warning; short forms are strict. A name that is almost a known one is
always an error.

\`shadow: true\` next to the \`rate\` and \`per\` of any limit makes it a shadow limit: it is evaluated and never enforced, and each
request that it would refuse emits the event \`ShadowLimitExceeded\`.
`;

const PASTED = `apis:
  orders:
    listen: /orders
    rate: 100
    per: 1
    endpoints:
      - { path: /export, method: GET, rate: 1, per: 60 }
      - { path: /trial, method: GET, rate: 5, per: 1, shadow: true }
  pasted:
    definition:
      api_id: pasted
      proxy: { listen_path: /pasted/ }
      global_rate_limit: { rate: 50, per: 1 }
      extended_paths:
        rate_limit:
          - { path: /slow, method: POST, enabled: true, rate: 2, per: 10 }
  from-oas:
    openapi:
      openapi: 3.0.3
      info: { title: From OAS, version: "1" }
      paths:
        /items/{id}: { get: { operationId: readItem, responses: {} } }
      x-gw-api-gateway:
        info: { name: From OAS }
        server: { listenPath: { value: /from-oas/ } }
        middleware:
          operations:
            readItem: { rateLimit: { enabled: true, rate: 5, per: 10s } }
policies:
  gold: { rate: 6, per: 3, apis: [orders, pasted] }
keys:
  alice: { apply_policies: [gold] }
  fleet-of-keys: { rate: 10, per: 1, apis: [orders], count: 100 }
gateway: { enable_fixed_window_rate_limiter: true }
`;

/** Worlds that the page shows. */
export const WORLD_EXAMPLES: readonly string[] = [PASTED, ENVIRONMENT_EXAMPLE];

const OTHER_FILE = `With \`world: { file: ../nginx.conf }\` the rules of that file decide each request of the scenario, as they do for
[\`weir replay --config\`](../answer/replay.md). The fields around the gateways go with it, except \`store\` and \`management\`.

- **Clients are told apart by what the rules read**: their address (\`from\`), \`headers\`, and the host in a header \`Host\`. \`as: bot\` is
  sent in \`Authorization\`; of a flow with \`clients: 3\` it is bot-1, bot-2 and bot-3.
- **A refusal has the status of the file.** It has \`Retry-After\` if the program sends it: Caddy,
  Cloudflare, Kong and Traefik do. Other headers of limits are not simulated.
- **A request waits as the program lets it wait**, such as nginx with a \`burst\` and no \`nodelay\`.
- **A folder is read with all of its files** where the program has one, such as Tyk or Traefik.
- **Gateways of a fleet count apart**, unless the program or the file shares counters.
- **Parts that are not understood are warnings**, and so are values that only production has: \`set\` gives them.
- **Only virtual time decides by a file**; every other driver says so and skips the scenario. No specification covers the
  rules, so that expectations of \`decisions\` and some invariants are errors.
`;

const BROKEN = `An error in the configuration is an error in the file, unless an expectation of the same variant is about
\`configuration: { level: errors }\`: then the world is read and never run, and only \`configuration\` expectations can look at it.
`;

const TRAFFIC = `# Traffic and injected faults

For everyone who writes the requests of a [scenario](scenario-format.md), and what goes wrong meanwhile.
`;

const EXPECTATIONS = `# Expectations

For everyone who writes what a [scenario](scenario-format.md) has to show. \`expect\` is a list. Each item has these fields, one
measure, and what the measure is compared with.
`;

/** By the names of their files. */
export const formatPages = (): Readonly<Record<string, string>> => ({
  "scenario-format": pageOf(
    `${INTRODUCTION}\n${yaml(frameExample(null))}`,
    `## The file\n\n${fieldTable(SCENARIO_FIELDS)}`,
    VALUES,
    MATRIX,
    `## Charts\n\nWhat the report draws of a run.\n\n${fieldTable(CHART_FIELDS)}`,
    `## Codes\n\n${codeTable({ ...SCENARIO_CODES, ...Object.fromEntries(Object.entries(CODES).map(([code, { meaning, severity }]) => [code, severity === "warning" ? `Warning: ${meaning}` : meaning])), ...HISTORY_CODES })}`,
  ),
  "scenario-world": pageOf(
    `${WORLD}\n${WRITTEN}\n${fieldTable(CONFIGURATION_FIELDS)}\n${yaml(PASTED)}`,
    recordSection("An API, in its short form", API_VALUES, SHORT_API),
    recordSection("A policy", POLICY_VALUES, POLICY),
    recordSection("A key", KEY_VALUES, KEY),
    `## Limits\n\nFields of a key, a policy, an API or an endpoint.\n\n${valueTable(LIMIT_VALUES)}\n## Gateway options\n\n${valueTable(GATEWAY_VALUES)}\n## Algorithms\n\n${tableOf(
      ["algorithm", "how it counts"],
      ALGORITHMS.map((name) => [code(name), SPECS[name].about]),
    )}\n${SHARED_BUDGETS}\n${BROKEN}`,
    `## The file of another limiter\n\n${OTHER_FILE}\n${fieldTable(RULES_FIELDS)}`,
    `## Around the gateways\n\n${fieldTable(ENVIRONMENT_FIELDS)}\n${yaml(ENVIRONMENT_EXAMPLE)}`,
  ),
  "scenario-traffic": pageOf(
    `${TRAFFIC}\n${WRITTEN}\n## Traffic\n\nA list of flows. Each has these fields, and one shape.\n\n${fieldTable(FLOW_FIELDS)}\n## Shapes\n\n${words(TRAFFIC_SHAPES)}`,
    COST,
    `## Mixed flows\n\n${MIXED}\n${yaml(MIX_EXAMPLES.map(item).join(""))}`,
    `## Calls\n\n${CALLS}\n${fieldTable(CALL_FIELDS)}\n${yaml(CALL_EXAMPLES.map(item).join(""))}`,
    `## Behaviours\n\n\`ignore\`, \`honourRetryAfter\`, or a map with one of these:\n\n${fieldTable(BEHAVIOUR_FIELDS)}\n${yaml(BEHAVIOUR_EXAMPLES.map(item).join(""))}`,
    `## Injected faults\n\nThe list \`faults\`. Each has a time and one subject.\n\n${fieldTable(FAULT_FIELDS)}\n${words(FAULT_WORDS)}`,
  ),
  "scenario-expectations": pageOf(
    `${EXPECTATIONS}\n${WRITTEN}\n${fieldTable(EXPECTATION_FIELDS)}`,
    `## Which requests\n\nMeasures of requests take these fields, all of which have to agree; a list means any of its items.\n\n${fieldTable(FILTER_FIELDS)}`,
    `## Comparisons\n\nNumbers are compared by one of these.\n\n${fieldTable(NUMBERS)}\nWhat the store does can also be compared between variants.\n\n${fieldTable(acrossFields)}`,
    `## Measures\n\n${words(EXPECTATION_WORDS)}`,
  ),
});

const pageOf = (...parts: readonly string[]): string => parts.join("\n");

const SHARED_BUDGETS = `## Clients that share a budget

A limit of a key has a budget for each key. Two settings change that:

- \`rate_limit_pattern\` in \`meta_data\` of a key or a policy, such as \`$gw_meta.team|gold\`: keys with the same values share a
  budget and a quota, if window and smoothing are the same too. If a value is missing, or values and bars together are longer
  than 4,096 letters, the key has its own budget.
- \`key_by\` of an API, or of the gateway for all APIs without one: \`ip\` counts by the client's address, which a served gateway
  takes from its \`trusted_proxies\`; \`{ header: NAME }\` counts by the value of that header, or by the address if it is missing.
  A client can send any header that no proxy sets, so do not count unknown clients by one. The first \`ipv6_prefix\` bits of an
  IPv6 address are one client. A keyless API then has a budget for each address. An API-level limit stays one budget for all
  clients of an API with keys, quotas stay the key's, and a pattern that has its values wins.

Each client of a shared budget is refused by its own rate. In an [example](../../scenarios/examples/login-by-address.yaml) a limit
by address stops password guessing, and admits an office with one address.
`;

const COST = `## Cost of a request

\`cost\` on a flow is the number of units that each of its requests spends of every limit and quota: an integer from 1, the
default, to 1000. A request is admitted if all of its units fit at every level. If they do not, it spends nothing, except that a
log writes the attempt with its units. Remaining in headers counts units, and Retry-After lasts until all units of the refused
request fit. A cost above the whole limit is never admitted, and its refusal has no Retry-After.

The driver sends the cost in the header that the gateway option \`cost_header\` names, or in \`Weir-Cost\` if the world leaves the
option unset. A served gateway reads it there too: a client that can set the header chooses its own cost, so set the option only
for trusted clients or behind a proxy that sets the header. The folder \`scenarios/cost\` has examples.
`;

const MIXED = `\`as\`, \`send\` and \`from\` may be lists or maps. A list is used in turn, and several lists in every combination: keys first, then
paths, then addresses. A map gives each item a weight, by which it is drawn; every draw follows from the seed. A network means its
addresses in order. Of several \`clients\` each has one key and one address, and sends every path. The flow keeps one name;
expectations select among its requests with \`as\`, \`endpoint\` and \`from\`.

A served gateway receives the address in \`X-Forwarded-For\`, from a proxy that it trusts.
`;

const CALLS = `An item of the traffic may also be a call to a management API: one request, at a time of its own. The run waits for its
response. The gateway that received it applies the change at once, the others after their next look at the records. The \`world\` is
the state of the records at the start. \`weir\` chooses the management API by the path. Created records without an id get \`made-1\`,
\`made-2\` and so on, created secrets are \`secret-1\`, \`secret-2\`.
`;

const NUMBERS = comparisonFields(anyNumber);

/** Fields that several words share are described once, in the tables above them. */
const SHARED: readonly { readonly fields: Fields; readonly called: string }[] = [
  { fields: FILTER_FIELDS, called: "which requests" },
  { fields: NUMBERS, called: "a comparison" },
  { fields: acrossFields, called: "a comparison between variants" },
];

const groupOf = (name: string, { doc }: Field<unknown>): string | undefined =>
  SHARED.find(({ fields }) => fields[name]?.doc === doc)?.called;

const yaml = (text: string): string => `\`\`\`yaml\n${text}\`\`\`\n`;
const item = (example: string): string => `- ${example}\n`;

const words = (list: readonly FieldWord<unknown>[]): string => list.map(wordSection).join("\n");

function wordSection({ name, doc, example, under, companions }: FieldWord<unknown>): string {
  const fields = [
    ...Object.entries(under.fields ?? {}).map(([field, of]) => ({
      field,
      of,
      shown: `${name}.${field}`,
    })),
    ...Object.entries(companions).map(([field, of]) => ({ field, of, shown: field })),
  ];
  const own = fields.filter(({ field, of }) => groupOf(field, of) === undefined);
  const shared = new Set(
    fields.map(({ field, of }) => groupOf(field, of)).filter((called) => called !== undefined),
  );
  const rows = own.flatMap(({ shown, of }) => rowOf(shown, of));
  const table = rows.length === 0 ? "" : `${tableOf(["field", "value", "meaning"], rows)}\n`;
  const also = shared.size === 0 ? "" : ` Takes ${[...shared].join(", and ")}.`;
  return `### \`${name}\`: ${under.called}\n\n${doc}${also}\n\n${table}${yaml(item(example))}`;
}

const fieldTable = (fields: Fields): string =>
  tableOf(
    ["field", "value", "meaning"],
    Object.entries(fields).flatMap(([name, field]) => rowOf(name, field)),
  );

const rowOf = (
  name: string,
  { shape, required, doc }: Field<unknown>,
): readonly (readonly string[])[] => [
  [`\`${name}\`${required ? " (needed)" : ""}`, shape.called, doc],
  ...Object.entries(shape.fields ?? {}).flatMap(([inner, field]) =>
    rowOf(`${name}.${inner}`, field),
  ),
];

const valueTable = (values: WorldValues): string =>
  tableOf(
    ["field", "value", "meaning"],
    Object.entries(values).map(([name, { called, doc }]) => [code(name), called, doc]),
  );

/** Limits have a table of their own. */
const recordSection = (title: string, values: WorldValues, { stored }: MemberTable): string => {
  const own = Object.entries(values).filter(([name, value]) => LIMIT_VALUES[name] !== value);
  const fields = Object.keys(stored).map(code).join(", ");
  const others = fields === "" ? "" : `\nStored, and without effect: ${fields}.\n`;
  return `## ${title}\n\n${valueTable(Object.fromEntries(own))}${others}`;
};

const code = (name: string): string => `\`${name}\``;

const codeTable = (codes: Readonly<Record<string, string>>): string =>
  tableOf(
    ["code", "meaning"],
    Object.entries(codes).map(([name, meaning]) => [code(name), meaning]),
  );

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`)
    .join("");
