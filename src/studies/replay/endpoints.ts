// The endpoints at which a configuration refuses requests.
import { z } from "zod";
import type { RuleCount } from "./candidate-limiter.ts";
import { endpointName, type NameTable } from "./names.ts";

export const endpointSchema = z.strictObject({
  name: z.string(), // method and path
  requests: z.int().min(0),
  refused: z.int().min(0),
});

export type ReplayedEndpoint = z.infer<typeof endpointSchema>;

interface NamedTargets {
  readonly targets?: NameTable | null;
  readonly rename: unknown; // null: names are those of the log
  readonly top: number;
}

/** The endpoints with the most refusals. `counts` has a row for each target. */
export function mostRefusedEndpoints(
  counts: readonly RuleCount[],
  { targets = null, rename, top }: NamedTargets,
): readonly ReplayedEndpoint[] {
  // A path may have the name of a client, which is replaced.
  if (targets === null || rename !== null) return [];
  const endpoints = new Map<string, ReplayedEndpoint>();
  for (const [target, { counted, refused }] of counts.entries()) {
    const name = endpointName(targets.nameOf(target));
    const known = endpoints.get(name);
    endpoints.set(name, {
      name,
      requests: (known?.requests ?? 0) + counted,
      refused: (known?.refused ?? 0) + refused,
    });
  }
  return [...endpoints.values()]
    .filter(({ refused }) => refused > 0)
    .toSorted((a, b) => b.refused - a.refused || (a.name < b.name ? -1 : 1))
    .slice(0, top);
}
