// Reads the settings of the management APIs in a world.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { record } from "../../../kit/reading/record.ts";
import {
  listOf,
  mapOf,
  matching,
  oneOf,
  optional,
  wholeNumber,
  yesOrNo,
  type Shape,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import { micros, SECOND, type Micros } from "../../../kit/units.ts";
import { duration } from "../../../kit/reading/duration.ts";
import {
  MANAGEMENT_INTERFACES,
  type ManagementInterface,
  type ManagementEnvironment,
} from "../world.ts";

const base = matching("a base", /^(?:\/[\w.-]+)+$/, "write a path, such as /admin-api");
const BASE_OF: Readonly<Record<ManagementInterface, string>> = {
  studio: "/studio",
  dashboard: "/dashboard",
  admin: "/admin-api",
  broker: "/broker",
  portal: "/portal",
};

const bases = record("bases", {
  studio: optional(base, BASE_OF.studio, "Of the AI studio."),
  dashboard: optional(base, BASE_OF.dashboard, "Of the dashboard."),
  admin: optional(base, BASE_OF.admin, "Of the admin interface."),
  broker: optional(base, BASE_OF.broker, "Of the identity broker."),
  portal: optional(base, BASE_OF.portal, "Of the developer portal."),
});

const status = wholeNumber(100, 599);
const word = oneOf(["no response", "connection reset"]);
const answer: Shape<number | "no response" | "connection reset"> = {
  called: "a status, no response or connection reset",
  schema: { anyOf: [status.schema, word.schema] },
  read: (value, at, problems) =>
    (typeof value === "number" ? status : word).read(value, at, problems),
};

const receiver = record("a receiver", {
  answers: optional(
    listOf(answer, 1),
    [200],
    "A status, `no response` or `connection reset` for each attempt; the last item applies to all later attempts.",
  ),
  after: optional(duration, 0 as Micros, "How long a response takes."),
  addresses: optional(
    listOf(matching("an address", /^[0-9a-f.:]+$/, "write it as 10.0.0.1 or as ::1"), 1),
    ["1.0.0.1"],
    "The address of its host name at each attempt; the last item applies to all later attempts.",
  ),
});

const byUrl = mapOf(receiver);
const receivers: typeof byUrl = {
  ...byUrl,
  fields: Object.fromEntries(
    Object.entries(receiver.fields ?? {}).map(([name, field]) => [`URL.${name}`, field]),
  ),
};

const management = record("the management", {
  catalogues: optional(yesOrNo, true, "Whether the studio has the feature of catalogues."),
  page_size: optional(wholeNumber(1, 1000), 10, "How many records a page has."),
  bases: optional(bases, BASE_OF, "The base path of each interface."),
  event_cooldown: optional(
    duration,
    micros(60 * SECOND),
    "For how long refusals of one budget are collected before webhooks get an event.",
  ),
  receivers: optional(
    receivers,
    {},
    "The receivers of webhooks, by URL. Others return 200 at once.",
  ),
});

type Written = typeof management extends Shape<infer Read> ? Read : never;

export const MANAGEMENT_EXAMPLE = `management: { catalogues: false, page_size: 2, bases: { admin: /operators }, receivers: { "https://hooks.example/": { answers: [500, 200], after: 1s } } }
`;

export const managementField = optional(
  management,
  null,
  "The management APIs, as far as calls depend on them.",
);

export const USUAL_MANAGEMENT: ManagementEnvironment = {
  catalogues: true,
  pageSize: 10,
  bases: BASE_OF,
  eventCooldownUs: micros(60 * SECOND),
  receivers: {},
};

export function managementOf(
  read: Written | null,
  at: Path,
  problems: Problem[],
): ManagementEnvironment | undefined {
  if (read === null) return USUAL_MANAGEMENT;
  const { bases: written, catalogues, page_size: pageSize } = read;
  for (const [index, each] of MANAGEMENT_INTERFACES.entries())
    for (const other of MANAGEMENT_INTERFACES.slice(0, index))
      if (written[each] === written[other])
        return scn(
          problems,
          "SCN-VALUE",
          [...at, "bases", each],
          `${other} and ${each} have the same path`,
          "write another one",
        );
  const receivers = Object.entries(read.receivers).map(
    ([url, { answers, after, addresses }]) =>
      [url, { answers, afterUs: after, addresses }] as const,
  );
  return {
    catalogues,
    pageSize,
    bases: written,
    eventCooldownUs: read.event_cooldown,
    receivers: Object.fromEntries(receivers),
  };
}
