// What whoever runs the gateways has chosen for the interfaces that change them.
import type { Path, Problem } from "../../core/problems.ts";
import { record } from "./record.ts";
import { matching, optional, scn, wholeNumber, yesOrNo, type Shape } from "./shape.ts";
import {
  MANAGEMENT_INTERFACES,
  type ManagementInterface,
  type ManagementOptions,
} from "../types.ts";

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

const management = record("the management", {
  catalogues: optional(yesOrNo, true, "Whether the studio has the feature of catalogues."),
  page_size: optional(wholeNumber(1, 1000), 10, "How many records a page has."),
  bases: optional(bases, BASE_OF, "Under which path each interface lies."),
});

type Written = typeof management extends Shape<infer Read> ? Read : never;

export const MANAGEMENT_EXAMPLE = `management: { catalogues: false, page_size: 2, bases: { admin: /operators } }
`;

export const managementField = optional(
  management,
  null,
  "The interfaces that change what the gateways enforce, as far as calls can tell.",
);

export const USUAL_MANAGEMENT: ManagementOptions = {
  catalogues: true,
  pageSize: 10,
  bases: BASE_OF,
};

export function managementOf(
  read: Written | null,
  at: Path,
  problems: Problem[],
): ManagementOptions | undefined {
  if (read === null) return USUAL_MANAGEMENT;
  const { bases: written, catalogues, page_size: pageSize } = read;
  for (const [index, each] of MANAGEMENT_INTERFACES.entries())
    for (const other of MANAGEMENT_INTERFACES.slice(0, index))
      if (written[each] === written[other])
        return scn(
          problems,
          "SCN-VALUE",
          [...at, "bases", each],
          `${other} and ${each} lie under the same path`,
          "write another one",
        );
  return { catalogues, pageSize, bases: written };
}
