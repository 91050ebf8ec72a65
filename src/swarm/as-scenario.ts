// A generated world with its traffic as the text of a scenario file: what a counterexample is printed as,
// ready to be saved under scenarios/regressions.
import { stringify } from "yaml";
import { formatDuration, micros } from "../core/units.ts";
import type { Json } from "../scenario/types.ts";
import type { Sending } from "./arbitrary/traffic.ts";
import type { RawObject, RawWorld } from "./arbitrary/worlds.ts";

export interface RawScenario {
  readonly world: RawWorld;
  readonly around: RawObject; // fleet, network, store, upstream
  readonly traffic: readonly RawObject[];
  readonly faults: readonly RawObject[];
}

export const NAME = "regressions/found";

export const asScenario = ({ world, around, traffic, faults }: RawScenario): string =>
  stringify(
    {
      id: NAME,
      title: "found by a property",
      proves: ["LIM-1"],
      world: { ...world, ...around },
      traffic,
      ...(faults.length === 0 ? {} : { faults }),
      expect: [{ id: "agrees with the specification", decisions: {}, agreeWith: "oracle" }],
    },
    { aliasDuplicateObjects: false, lineWidth: 100 },
  );

export const duration = (us: number): string => formatDuration(micros(us));

/** Requests as flows, one for each client and path. */
export function asFlows(requests: readonly Sending[]): readonly RawObject[] {
  const flows = Map.groupBy(requests, ({ as, path }) => JSON.stringify([as, path]));
  return [...flows.values()].map((sent, index): RawObject => {
    const { as, path } = sent[0]!;
    const times: Json = sent.map(({ atUs }) => duration(atUs));
    return { name: `flow-${index}`, as, send: `GET ${path}`, trace: { times } };
  });
}
