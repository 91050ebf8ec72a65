// A foreign gateway is checked by the algorithm that the scenario claims for it. If the scenario claims none, Weir's
// default is assumed. The gateway probably has another algorithm, so failures that depend on the algorithm name the
// assumed default.
import { entriesOf } from "../oracle/entries.ts";
import { worldOf } from "../oracle/world.ts";
import { FOREIGN_DRIVER } from "../scenario/history.ts";
import type { Measure } from "../scenario/types.ts";
import type { Finding } from "./outcome.ts";
import type { CheckSubject } from "./subject.ts";

const DEFAULT = "sliding_log";

const CLAIM = `claimed by default: ${DEFAULT}; if the gateway has another algorithm, add "gateway: { algorithm: NAME }" to the world`;

export function nameDefaultClaim(
  result: Finding,
  measure: Measure,
  subject: CheckSubject,
): Finding {
  const isNamed = result.outcome === "fail" && followsClaim(measure) && isDefault(subject);
  return isNamed ? { ...result, observed: `${result.observed}; ${CLAIM}` } : result;
}

const followsClaim = (measure: Measure): boolean =>
  measure.kind === "decisions" ||
  measure.kind === "count" ||
  measure.kind === "sequence" ||
  (measure.kind === "invariant" && (measure.rule === "bounds" || measure.rule === "refusals"));

function isDefault({ variant, history }: CheckSubject): boolean {
  const world = history.header.driver === FOREIGN_DRIVER ? worldOf(variant, history) : null;
  return (
    world !== null &&
    entriesOf(history, world).some(
      ({ levels, configuration }) =>
        configuration.options.algorithm === null &&
        levels.some(({ algorithm }) => algorithm === DEFAULT),
    )
  );
}
