// Decides whether an upstream gets requests, from its health checks and the results of earlier requests.

/** A request that was sent to an upstream. */
export interface Trying {
  /** True while the request waits for its client to send the body; a delay is then not caused by the upstream. */
  readonly isHeldUp: boolean;
}

export interface Circuit {
  readonly origin: string;
  isHealthy: boolean; // result of the health checks; true without checks
  failures: number; // consecutive requests without a response
  openUntilUs: number; // 0: the circuit is closed
  trial: Trying | null; // the running request that decides whether the circuit closes
  turn: number; // grows with each opening and each trial; results of requests from an earlier turn are ignored
}

interface CircuitOptions {
  readonly failures: number | null; // consecutive failures that open the circuit; null: never
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

/** Whether the upstream gets a request now. A trial that waits for its slow client is replaced by a new one. */
export const canTake = ({ isHealthy, openUntilUs, trial }: Circuit, nowUs: number): boolean =>
  isHealthy && (openUntilUs === 0 || (nowUs >= openUntilUs && (trial === null || trial.isHeldUp)));

export const isUp = ({ isHealthy, openUntilUs }: Circuit): boolean =>
  isHealthy && openUntilUs === 0;

/** Begins a request, and returns its turn. */
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

/** Ends a request without a result, because its client has disconnected. */
export function giveUp(circuit: Circuit, turn: number): void {
  if (turn === circuit.turn) circuit.trial = null;
}

// ---------------------------------------------------------------- the choice among several upstreams

interface Choice {
  readonly upstream: { readonly circuit: Circuit | null }; // circuit null: the upstream always gets requests
  readonly weight: number;
  current: number; // state of smooth weighted round robin, as in nginx, which avoids bursts
}

/** Returns null if no upstream gets requests now. The upstream in `tried` is chosen only if there is no other. */
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
