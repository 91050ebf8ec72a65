// When a target decides nothing more: it died, or responds with errors only. Requests without a decision exclude no
// suspect, so that without this a server that died would confirm whichever behaviour is left.
import { Failure } from "../../kit/reading/failure.ts";
import type { ProbeResponse } from "./target.ts";

export const NO_RESPONSE = "the target does not respond";
export const STOPPED = "the target stopped responding";

const MOST_UNDECIDED = 3;

export class Silence {
  #undecided = 0; // experiments in a row
  #hasDecided = false;
  readonly #patienceUs: number;

  constructor(patienceUs: number) {
    this.#patienceUs = patienceUs;
  }

  /** No request of the last experiment was admitted or refused. */
  get isNow(): boolean {
    return this.#undecided > 0;
  }

  /** Takes the responses of one experiment. Null: more can be learned from the target. */
  findFailure(responses: readonly ProbeResponse[]): Failure | null {
    const isDecided = responses.some(({ outcome }) => outcome !== "lost" && outcome !== "other");
    this.#undecided = isDecided ? 0 : this.#undecided + 1;
    this.#hasDecided ||= isDecided;
    // In a long queue requests wait until they are given up. A connection that fails is given up sooner.
    const isQueue =
      this.#hasDecided &&
      responses.some(({ sentUs, receivedUs }) => receivedUs - sentUs > this.#patienceUs / 2);
    const error = responses.find(({ outcome }) => outcome === "other");
    const most = error === undefined || this.#hasDecided ? MOST_UNDECIDED : 1;
    if (isQueue || this.#undecided < most) return null;
    if (error === undefined) return new Failure(this.#hasDecided ? STOPPED : NO_RESPONSE);
    const { status } = error;
    return new Failure(
      `the target responds with ${status}, which neither admits nor refuses; if it refuses with it, add --refusal ${status}; if it admits with it, --admission ${status}`,
    );
  }
}
