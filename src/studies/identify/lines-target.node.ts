// A target for a limiter library that reads requests as lines, in virtual or real time. No network delays them.
import { SECOND } from "../../kit/units.ts";
import type { LineDecision, LineLimiter } from "../../lab/implementations/lines.node.ts";
import { unixNow } from "../lint/exchange.node.ts";
import { listDue, waitUntil } from "./due.node.ts";
import {
  NOTHING_ANNOUNCED,
  type Announced,
  type FailingTarget,
  type ProbedGroup,
  type ProbeResponse,
} from "./target.ts";

/** Virtual time starts here: a Tuesday, away from the edge of every window. */
const START_US = 1_700_000_000_123_456;
const PATIENCE_US = 30 * SECOND;

interface LinesTarget {
  readonly startUs: number;
  readonly createTarget: (stop: AbortSignal) => FailingTarget;
}

/** Describes an error of the library. The result begins with a verb, like every failure of a target. */
export const describeProgramError = (error: unknown): string =>
  `cannot be examined: ${error instanceof Error ? error.message : String(error)}`;

export function createLinesTarget(limiter: LineLimiter, isVirtual: boolean): LinesTarget {
  let virtualUs = START_US;
  const realUs = (): number => Math.round(unixNow() * SECOND);
  const nowUs = isVirtual ? (): number => virtualUs : realUs;
  let failure: string | null = null;
  const decide = async (key: string, sentUs: number): Promise<ProbeResponse> => {
    try {
      const decision = await limiter.decide({ limitIndex: 0, key, cost: 1, atUs: sentUs });
      failure = null;
      return responseOf(decision, sentUs, nowUs());
    } catch (error) {
      failure = describeProgramError(error);
      return { ...LOST, sentUs, receivedUs: nowUs() };
    }
  };
  const createTarget = (stop: AbortSignal): FailingTarget => ({
    nowUs,
    failure: () => failure,
    patienceUs: PATIENCE_US,
    send: async (groups) => {
      const { probed, due } = listDue(groups);
      for (const { group, atUs } of due) {
        if (!isVirtual) await waitUntil(atUs, nowUs, stop);
        if (stop.aborted) break;
        // Each decision takes a microsecond, because some limiters decide differently at equal times.
        virtualUs = Math.max(Math.ceil(atUs), virtualUs + 1);
        group.responses.push(await decide(`key:${group.sender.credential}`, nowUs()));
      }
      // The clock advances to the end of delayed requests, for which clients wait.
      const latestUs = Math.max(0, ...probed.flatMap((group) => group.responses.map(endOf)));
      if (isVirtual) virtualUs = Math.max(virtualUs, Math.ceil(latestUs));
      return probed satisfies readonly ProbedGroup[];
    },
  });
  return { startUs: nowUs(), createTarget };
}

const LOST = { outcome: "lost", status: 0, announced: NOTHING_ANNOUNCED } as const;

const endOf = ({ receivedUs }: ProbeResponse): number => receivedUs;

function responseOf(decision: LineDecision, sentUs: number, nowUs: number): ProbeResponse {
  const { admitted, at_us: atUs, delay_us: delayUs } = decision;
  const decidedUs = Math.max(sentUs, atUs ?? nowUs);
  const leavesUs = decidedUs + (admitted ? (delayUs ?? 0) : 0);
  const isGivenUp = leavesUs - sentUs > PATIENCE_US;
  return {
    sentUs,
    receivedUs: isGivenUp ? sentUs + PATIENCE_US : leavesUs,
    outcome: isGivenUp ? "lost" : admitted ? "admitted" : "refused",
    status: isGivenUp ? 0 : admitted ? 200 : 429,
    announced: readAnnouncement(decision, decidedUs),
  };
}

function readAnnouncement(
  { limit, remaining, retry_after_us: waitUs, reset_us: resetUs }: LineDecision,
  decidedUs: number,
): Announced {
  return { limit, remaining, waitUs, resetUs: resetUs === null ? null : resetUs - decidedUs };
}
