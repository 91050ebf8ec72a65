// The rules of a configuration and what its file leaves open, as lines.
import {
  countText,
  cut,
  oneLine,
  percent,
  thousands,
  type Paint,
} from "../../kit/reading/legible.ts";
import { table, type TableColumn } from "../../kit/reading/table.ts";
import type { ReplayedEndpoint } from "./endpoints.ts";
import type { ReplayedCandidate } from "./result.ts";
import type { ConfigurationSide } from "./configuration-side.ts";

export const sideText = (title: string, side: ConfigurationSide): readonly string[] => [
  "",
  `${title}: ${oneLine(side.name)} (${side.kind})${fleetText(side)}`,
  ...side.rules.map(({ rule, limit, file, line, counted, refused }) =>
    oneLine(
      `  ${limit}  ${rule}, ${file}:${line}, counts ${countText(counted, "request")}, refuses ${thousands(refused)}`,
    ),
  ),
  ...doubtsOfSide(side).map((line) => `  ${line}`),
];

export function fleetText({ fleet, rules }: ConfigurationSide): string {
  if (fleet === null) return "";
  const shared = rules.filter(({ instances }) => instances === 1).length;
  const counters = fleet.sharesCounters
    ? "shared counters"
    : `counters of their own${shared === 0 ? "" : ` except for ${countText(shared, "limit")}`}, ${fleet.balancer}`;
  return `, ${countText(fleet.instances, "instance")} with ${counters}`;
}

/** The questions of a configuration, and its statements that are not understood. */
export const doubtsOfSide = ({ open, questions }: ConfigurationSide): readonly string[] => [
  ...questions.map(({ name, value, isSet }) =>
    oneLine(
      `question: $${name} is ${value === "" ? "taken as empty" : `"${value}"`}${isSet ? ", by --set" : `; --set ${name}=VALUE gives it`}`,
    ),
  ),
  ...open.map(({ file, line, text, consequence }) =>
    oneLine(`not understood: ${file}:${line} ${cut(text)}: ${consequence}`),
  ),
];

/** The endpoints of a configuration with the most refusals. */
export const endpointColumns = (endpoints: readonly ReplayedEndpoint[]): readonly TableColumn[] => [
  { title: "endpoint", cells: endpoints.map(({ name }) => cut(oneLine(name))), isNumber: false },
  {
    title: "requests",
    cells: endpoints.map(({ requests }) => thousands(requests)),
    isNumber: true,
  },
  { title: "refused", cells: endpoints.map(({ refused }) => thousands(refused)), isNumber: true },
  {
    title: "share",
    cells: endpoints.map(({ requests, refused }) => percent(refused / requests)),
    isNumber: true,
  },
];

/** The rules of a replayed configuration, and the endpoints that it refuses. */
export const configurationText = (
  { configuration, endpoints }: ReplayedCandidate,
  paint: Paint,
  width: number,
): readonly string[] =>
  configuration === null
    ? []
    : [
        ...sideText("limits", configuration),
        ...(endpoints.length === 0
          ? []
          : ["", ...table(endpointColumns(endpoints), paint, undefined, { width, named: 1 })]),
      ];
