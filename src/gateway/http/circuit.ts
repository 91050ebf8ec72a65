// Whether an upstream gets requests, by its health checks and by the results of earlier requests.

/** A request at an upstream. */
export interface Trying {
  /** It waits for the body from its client, and not for the upstream. */
  readonly isHeldUp: boolean;
}

export interface Circuit {
  readonly origin: string;
  isHealthy: boolean; // by its checks; true if there are none
  failures: number; // requests in a row without a response
  openUntilUs: number; // 0: closed
  trial: Trying | null; // the one request that decides whether it closes
  turn: number; // changes with each opening and each trial: requests of an earlier turn decide nothing
}

interface CircuitOptions {
  readonly failures: number | null; // in a row, until it opens; null: never
  readonly openUs: number;
}

export const createCircuit = (origin: string): Circuit => ({
  origin,
  isHealthy: true,
  failures: 0,
  openUntilUs: 0,
  trial: null,
  turn: 0,
});

/** Another request replaces a trial that is held up: otherwise a client that sends slowly would keep the upstream out of use. */
export const canTake = ({ isHealthy, openUntilUs, trial }: Circuit, nowUs: number): boolean =>
  isHealthy && (openUntilUs === 0 || (nowUs >= openUntilUs && (trial === null || trial.isHeldUp)));

export const isUp = ({ isHealthy, openUntilUs }: Circuit): boolean =>
  isHealthy && openUntilUs === 0;

/** Returns the turn that the request belongs to. */
export function begin(circuit: Circuit, request: Trying): number {
  if (circuit.openUntilUs !== 0) {
    circuit.trial = request;
    circuit.turn++;
  }
  return circuit.turn;
}

export function recordSuccess(circuit: Circuit, turn: number): void {
  if (turn !== circuit.turn) return;
  circuit.failures = 0;
  circuit.openUntilUs = 0;
  circuit.trial = null;
}

export function recordFailure(
  circuit: Circuit,
  turn: number,
  nowUs: number,
  { failures, openUs }: CircuitOptions,
): void {
  if (turn !== circuit.turn) return;
  circuit.failures++;
  if (failures === null || (circuit.trial === null && circuit.failures < failures)) return;
  circuit.openUntilUs = nowUs + openUs;
  circuit.trial = null;
  circuit.turn++;
}

/** The client has left before the request had a result. */
export function giveUp(circuit: Circuit, turn: number): void {
  if (turn === circuit.turn) circuit.trial = null;
}

// ---------------------------------------------------------------- one of several

interface Choice {
  readonly upstream: { readonly circuit: Circuit | null }; // null: it is not watched, and always gets requests
  readonly weight: number;
  current: number; // of smooth weighted round robin, as in nginx: no choice is made in bursts
}

/** Null: none of them gets requests now. The upstream that was tried is chosen only if there is no other. */
export function choose<C extends Choice>(
  choices: readonly C[],
  nowUs: number,
  tried: C["upstream"] | null = null,
): C | null {
  let best: C | null = null;
  let total = 0;
  for (const choice of choices) {
    const { upstream } = choice;
    if (upstream === tried || !isOpenTo(upstream, nowUs)) continue;
    choice.current += choice.weight;
    total += choice.weight;
    if (best === null || choice.current > best.current) best = choice;
  }
  if (best !== null) best.current -= total;
  else if (tried !== null && isOpenTo(tried, nowUs))
    return choices.find(({ upstream }) => upstream === tried) ?? null;
  return best;
}

const isOpenTo = ({ circuit }: Choice["upstream"], nowUs: number): boolean =>
  circuit === null || canTake(circuit, nowUs);
