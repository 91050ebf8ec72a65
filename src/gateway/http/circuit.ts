// Whether an upstream gets requests: what checks of its health say, and what has become of the requests before.

/** A request at an upstream. */
export interface Trying {
  /** It waits for its client, who has not sent everything yet, and not for the upstream. */
  readonly isHeldUp: boolean;
}

export interface Circuit {
  readonly origin: string;
  isHealthy: boolean; // by its checks; true if there are none
  failures: number; // requests in a row without a response
  openUntilUs: number; // 0: closed
  trial: Trying | null; // the one request that decides whether it closes
  turn: number; // another one from each opening and each trial on: what has begun in an earlier one decides nothing
}

export interface CircuitOptions {
  readonly failures: number | null; // in a row, until it opens; null: never
  readonly openUs: number;
}

export const closedCircuit = (origin: string): Circuit => ({
  origin,
  isHealthy: true,
  failures: 0,
  openUntilUs: 0,
  trial: null,
  turn: 0,
});

/** A trial that is held up gives way: otherwise a client who sends its body slowly would keep the upstream out of use. */
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

export function succeed(circuit: Circuit, turn: number): void {
  if (turn !== circuit.turn) return;
  circuit.failures = 0;
  circuit.openUntilUs = 0;
  circuit.trial = null;
}

export function fail(
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

/** Its client has left before anything was known. */
export function giveUp(circuit: Circuit, turn: number): void {
  if (turn === circuit.turn) circuit.trial = null;
}

// ---------------------------------------------------------------- one of several

export interface Choice {
  readonly upstream: { readonly circuit: Circuit | null }; // null: nothing is known of it, and it always gets requests
  readonly weight: number;
  current: number; // of smooth weighted round robin, as nginx does it: no choice comes in bursts
}

/** Null: none of them gets requests now. What leads to the upstream that was tried is taken only if nothing else is left. */
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
