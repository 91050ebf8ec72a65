// Finds out when a target decides nothing more, because it died or only responds with errors. Undecided requests
// exclude no suspect: without this check a dead server would confirm any behaviour that is left.
import { Failure } from "../../kit/reading/failure.ts";
import type { ProbeResponse } from "./target.ts";

export const NO_RESPONSE = "the target does not respond";
export const STOPPED = "the target stopped responding";

const MOST_UNDECIDED = 3;

export class Silence {
  #undecided = 0; // successive experiments without a decision
  #hasDecided = false;
  readonly #patienceUs: number;

  constructor(patienceUs: number) {
    this.#patienceUs = patienceUs;
  }

  /** Whether the last experiment had no admission and no refusal. */
  get isNow(): boolean {
    return this.#undecided > 0;
  }

  /** Records the responses of one experiment. Returns null if further experiments are worthwhile. */
  findFailure(responses: readonly ProbeResponse[]): Failure | null {
    const isDecided = responses.some(({ outcome }) => outcome !== "lost" && outcome !== "other");
    this.#undecided = isDecided ? 0 : this.#undecided + 1;
    this.#hasDecided ||= isDecided;
    // Requests in a long queue are given up after a long wait, those of a broken connection sooner.
    const isQueue =
      this.#hasDecided &&
      responses.some(({ sentUs, receivedUs }) => receivedUs - sentUs > this.#patienceUs / 2);
    const error = responses.find(({ outcome }) => outcome === "other");
    const most = error === undefined || this.#hasDecided ? MOST_UNDECIDED : 1;
    if (isQueue || this.#undecided < most) return null;
    if (error === undefined) return new Failure(this.#hasDecided ? STOPPED : NO_RESPONSE);
    const { status } = error;
    return new Failure(
      `the target responds with ${status}, which neither admits nor refuses; if this status is a refusal, add --refusal ${status}; if it is an admission, --admission ${status}`,
    );
  }
}
