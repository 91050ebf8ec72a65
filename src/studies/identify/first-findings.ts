// The first requests: ever larger bursts until one is refused, then ever longer waits until one is admitted. Every
// behaviour with round numbers that explains the responses becomes a suspect.
import { SECOND } from "../../kit/units.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { many } from "../../kit/reading/legible.ts";
import type { LimitBehaviour } from "./behaviour.ts";
import { candidatesOf, listShifted, type FirstFindings } from "./candidates.ts";
import { NO_TIME, type IdentifyStep, type Prober } from "./prober.ts";
import { createSuspect, type Suspect } from "./suspect.ts";
import { countOf, FIRST_SENDER, type ProbedGroup } from "./target.ts";

const GROWTH = 3;
const FIRST_WAIT_US = 20_000;
const WAIT_GROWTH = 1.5;

interface Growth {
  readonly admitted: number;
  readonly unknown: number;
  readonly blockedAtUs: number; // the first refused burst
  readonly growingUs: number;
}

/** `notBeforeUs`: the limit rests until then. */
export async function findLimit(
  prober: Prober,
  notBeforeUs: number,
): Promise<FirstFindings | Failure> {
  const growth = await growUntilRefused(prober, notBeforeUs);
  if (isFailure(growth)) return growth;
  const { admitted, unknown, growingUs } = growth;
  const recovery = await waitUntilAdmitted(prober, growth.blockedAtUs);
  if (isFailure(recovery)) return recovery;
  return { leastAdmitted: admitted, mostAdmitted: admitted + unknown, growingUs, ...recovery };
}

async function growUntilRefused(prober: Prober, notBeforeUs: number): Promise<Growth | Failure> {
  const { target } = prober;
  const startUs = Math.max(target.nowUs(), notBeforeUs);
  let [admitted, unknown, size] = [0, 0, 1];
  for (;;) {
    if (size > prober.budget.requests)
      return new Failure(`no limit within ${many(admitted, "request")}`);
    if (prober.budget.us <= 0) return new Failure(NO_TIME);
    const atUs = Math.max(target.nowUs(), notBeforeUs);
    const probed = await prober.send("more at once", [
      { atUs, count: size, everyUs: 0, sender: FIRST_SENDER },
    ]);
    if (isFailure(probed)) return probed;
    const group = probed[0]!;
    unknown += countOf(group, "lost");
    admitted += countOf(group, "admitted");
    const blockedAtUs = Math.min(...group.responses.map(({ sentUs }) => sentUs));
    if (countOf(group, "refused") > 0)
      return { admitted, unknown, blockedAtUs, growingUs: target.nowUs() - startUs };
    if (countOf(group, "lost") < group.count) size *= GROWTH;
  }
}

async function waitUntilAdmitted(
  prober: Prober,
  blockedAtUs: number,
): Promise<Pick<FirstFindings, "blockedUs" | "recoveredUs" | "edgeUs"> | Failure> {
  const { target } = prober;
  let [waitUs, blockedUs] = [FIRST_WAIT_US, 0];
  for (;;) {
    const atUs = Math.max(target.nowUs(), blockedAtUs + waitUs);
    if (atUs - target.nowUs() > prober.budget.us || prober.budget.requests < 2)
      return new Failure(`refused, and not admitted again within ${Math.round(blockedUs / 1e6)} s`);
    const probed = await prober.send("a longer wait", [
      { atUs, count: 1, everyUs: 0, sender: FIRST_SENDER },
    ]);
    if (isFailure(probed)) return probed;
    const [response] = probed[0]!.responses;
    const recoveredUs = target.nowUs() - blockedAtUs;
    if (response!.outcome === "admitted") {
      const edgeUs = [blockedAtUs + blockedUs, response!.receivedUs] as const;
      return { blockedUs, recoveredUs, edgeUs };
    }
    if (response!.outcome === "refused") blockedUs = response!.sentUs - blockedAtUs;
    waitUs = Math.max(waitUs, recoveredUs) * WAIT_GROWTH;
  }
}

/** What a user can begin with where nothing is named. */
export function describeFindings({
  leastAdmitted,
  mostAdmitted,
  blockedUs,
  recoveredUs,
}: FirstFindings): string {
  const most = many(mostAdmitted, "request");
  const admitted = leastAdmitted === mostAdmitted ? most : `${leastAdmitted} to ${most}`;
  const [from, to] = [blockedUs, recoveredUs].map((us) => (us / SECOND).toFixed(2));
  return `${admitted} admitted at once, and one more ${from} to ${to} s later`;
}

export interface SuspectSearch {
  readonly isWide: boolean; // windows with times of their own too
  readonly isThorough?: boolean;
}

/** Of everything that the findings allow, what the steps since `first` allow. It can be searched again after more steps. */
export function searchSuspects(
  prober: Prober,
  findings: FirstFindings,
  first: number,
): (search: SuspectSearch) => readonly Suspect[] {
  const candidates = candidatesOf(findings);
  const shifted = listShifted(findings, candidates);
  const ruledOut = new Set<LimitBehaviour>();
  return ({ isWide, isThorough = false }) => {
    const all = [
      ...candidates.map((each) => createSuspect(each)),
      ...(isWide ? shifted.map((each) => createSuspect(each, findings.edgeUs)) : []),
    ];
    // Windows may follow each other since the first request of all.
    const steps = [...prober.steps.slice(0, Math.min(1, first)), ...prober.steps.slice(first)];
    return joinRefused(steps).reduce<readonly Suspect[]>(
      (suspects, groups) => prober.exclude(suspects, groups, { isThorough, ruledOut }),
      all.filter(({ behaviour }) => !ruledOut.has(behaviour)),
    );
  };
}

/** Steps of which nothing was admitted are one with the next step: a suspect that is compared once is compared sooner. */
function joinRefused(steps: readonly IdentifyStep[]): readonly (readonly ProbedGroup[])[] {
  const joined: (readonly ProbedGroup[])[] = [];
  let refused: readonly ProbedGroup[] = [];
  for (const [index, { groups }] of steps.entries()) {
    const all = [...refused, ...groups];
    const isRefused = groups.every((group) => countOf(group, "admitted") === 0);
    refused = isRefused ? all : [];
    if (!isRefused || index === steps.length - 1) joined.push(all);
  }
  return joined;
}
