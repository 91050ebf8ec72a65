// Records the decisions of a line-based limiter as requests of a history.
import { SECOND } from "../../kit/units.ts";
import type { HeaderField } from "../../gateway/headers.ts";
import type { RequestOutcome } from "../../gateway/outcome.ts";
import type { LineDecision } from "../implementations/lines.node.ts";
import type { Manifest } from "../implementations/manifest.ts";
import { recordRequest, type RealRecorder } from "./real-recorder.ts";
import { limitHeaders } from "./stranger.ts";

export interface Attempt {
  readonly atUs: number;
  readonly arrival: number;
  readonly attempt: number;
}

/** A request that no limit counts has only `admitted`, because the limiter did not decide it. */
export type Decided = Pick<LineDecision, "admitted"> & Partial<LineDecision>;

/** The clock and the headers of the limiter. */
interface Deciding {
  readonly manifest: Manifest;
  readonly epochUs: number;
  readonly skewUs: number;
}

/** Records a response of 503, as a gateway sends it if its limiter fails. */
export function recordError(
  real: RealRecorder,
  { atUs, arrival, attempt }: Attempt,
  endUs: number,
): void {
  recordRequest(
    real,
    { arrival, attempt, sentUs: atUs, receivedUs: Math.max(atUs, Math.ceil(endUs)), status: 503 },
    { decision: null, reason: "none", headers: [], body: "" },
  );
}

export interface Noted {
  readonly decidedUs: number;
  readonly got: Decided;
  readonly outcome: RequestOutcome;
  readonly headers: readonly HeaderField[];
}

export function note(
  real: RealRecorder,
  { skewUs }: Deciding,
  { atUs, arrival, attempt }: Attempt,
  { decidedUs, got, outcome, headers }: Noted,
): void {
  const { admitted, delay_us: delayUs = null } = got;
  const decision =
    delayUs === null || outcome.decision === null
      ? outcome.decision
      : { ...outcome.decision, delayUs };
  const { refused } = outcome;
  recordRequest(
    real,
    {
      arrival,
      attempt,
      sentUs: Math.min(atUs, decidedUs),
      receivedUs: decidedUs + (delayUs ?? 0),
      status: admitted ? 200 : (refused?.status ?? 429),
    },
    {
      decision: {
        outcome: { ...outcome, decision },
        gateway: 0,
        fleet: 1,
        fromUs: decidedUs,
        toUs: decidedUs,
        stampUs: decidedUs + skewUs,
        order: real.order++,
      },
      reason: admitted ? "none" : (refused?.reason ?? "rate"),
      headers,
      body: "",
    },
  );
}

/** A decision as response headers: translated from a middleware's headers, or named after a library's return values. */
export function headersOf(
  { manifest, epochUs, skewUs }: Deciding,
  decidedUs: number,
  { headers = {}, limit, remaining, reset_us: resetUs, retry_after_us: waitUs }: Decided,
): readonly HeaderField[] {
  const written =
    manifest.headers === null
      ? []
      : limitHeaders(headers, manifest.headers, epochUs + skewUs + decidedUs);
  const values = [
    ["x-ratelimit-limit", limit],
    ["x-ratelimit-remaining", remaining],
    ["x-ratelimit-reset", typeof resetUs === "number" ? resetUs / SECOND : null],
    ["retry-after", typeof waitUs === "number" ? waitUs / SECOND : null],
  ] as const;
  return [
    ...written,
    ...values.flatMap(([name, value]) =>
      typeof value === "number" ? [[name, `${value}`] as const] : [],
    ),
  ];
}
