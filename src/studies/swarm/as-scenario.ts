// Writes a generated world with its traffic as a scenario file: a run does what the file describes, and a reduced
// failure can be saved at once.
import { Document, isCollection, visit } from "yaml";
import { HOLDS } from "../../lab/check/invariant.ts";
import { formatDuration, micros } from "../../kit/units.ts";
import { INVARIANTS } from "../../lab/scenario/expectation.ts";
import type { Json } from "../../kit/reading/shape.ts";
import type { SentRequest } from "./arbitrary/traffic.ts";
import type { RawObject, RawWorld } from "./arbitrary/worlds.ts";

export interface RawScenario {
  readonly world: RawWorld;
  readonly around: RawObject; // fleet, network, store, upstream
  readonly traffic: readonly RawObject[];
  readonly faults: readonly RawObject[];
}

/** The fields of a scenario file around a generated world. */
export interface ScenarioFrame {
  readonly id: string;
  readonly title: string;
  readonly about: string | null;
  readonly proves: readonly string[];
  readonly expect: readonly RawObject[];
}

/** The expectations that hold in any world; each id is the sentence that names its verdict. */
export const EXPECTED: readonly RawObject[] = [
  { id: "agrees with the specification", decisions: {}, agreeWith: "oracle" },
  // The rule `responses` is left out: if a gateway ends, its requests get no response.
  ...INVARIANTS.filter((rule) => rule !== "responses").map((rule): RawObject => ({
    id: HOLDS[rule],
    invariant: rule,
  })),
];

export const NAME = "regressions/found";

export const FOUND: ScenarioFrame = {
  id: NAME,
  title: "found by a property",
  about: null,
  proves: ["LIM-1"],
  expect: EXPECTED.slice(0, 1),
};

const WIDTH = 96;

const fieldsOf = (
  { world, around, traffic, faults }: RawScenario,
  { id, title, about, proves, expect }: ScenarioFrame,
): Readonly<Record<string, unknown>> => ({
  id,
  title,
  ...(about === null ? {} : { about }),
  proves,
  world: { ...world, ...around },
  traffic,
  ...(faults.length === 0 ? {} : { faults }),
  expect,
});

/**
 * The value of the document that `formatScenario` writes. A trial runs this value, because no user sees its text, and
 * writing and parsing takes longer than the run.
 */
export const documentOf = (raw: RawScenario, frame: ScenarioFrame): Json =>
  JSON.parse(JSON.stringify(fieldsOf(raw, frame))) as Json;

export function formatScenario(raw: RawScenario, frame: ScenarioFrame = FOUND): string {
  const document = new Document(fieldsOf(raw, frame), { aliasDuplicateObjects: false });
  // A collection that fits in one line is written in one line.
  visit(document, (_, node, path) => {
    if (isCollection(node) && path.length > 1 && JSON.stringify(node).length < WIDTH)
      node.flow = true;
  });
  return document.toString({ lineWidth: WIDTH + 8, flowCollectionPadding: true });
}

export const duration = (us: number): string => formatDuration(micros(us));

/** Groups requests into flows, one for each client, path and cost. */
export function flowsOf(requests: readonly SentRequest[], suffix = ""): readonly RawObject[] {
  const flows = Map.groupBy(requests, ({ as, path, cost = 1 }) => JSON.stringify([as, path, cost]));
  return [...flows.values()].map((requests, index): RawObject => {
    const { as, path, cost = 1 } = requests[0]!;
    const costs = cost === 1 ? {} : { cost };
    const times: Json = requests.map(({ atUs }) => duration(atUs));
    return { name: `flow-${index}${suffix}`, as, send: `GET ${path}`, ...costs, trace: { times } };
  });
}
