// A short scenario, run in virtual time.
import { stringify } from "yaml";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { decode } from "#src/lab/scenario/read/decode.ts";
import type { History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { formatProblem } from "#src/kit/reading/source.ts";

export interface Parts {
  readonly world: object;
  readonly traffic: readonly object[];
  readonly faults?: readonly object[];
}

export function play({ world, traffic, faults = [] }: Parts, seed = 1): History {
  const text = stringify({
    id: "limits/played",
    title: "played",
    proves: ["LIM-1"],
    world,
    traffic,
    faults,
    expect: [{ id: "it runs", count: {}, atLeast: 0 }],
  });
  const { scenario, problems } = decode("scenarios/limits/played.yaml", text);
  if (scenario === null) throw new Error(problems.map(formatProblem).join("\n"));
  const variant = scenario.variants[0]!;
  return playVirtual(variant, plan(variant, scenario.id, seed));
}

/** The statuses in the order in which they were decided. */
export const statuses = ({ requests }: History): readonly number[] => [...requests.status];

export const orders = (more: object = {}): object => ({ orders: { listen: "/orders", ...more } });
