// Whether an upstream gets requests: what checks of its health say, and what has become of the requests before.

export interface Circuit {
  readonly origin: string;
  isHealthy: boolean; // by its checks; true if there are none
  failures: number; // requests in a row without a response
  openUntilUs: number; // 0: closed
  isTrying: boolean; // one request is under way that decides
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
  isTrying: false,
});

export const canTake = (circuit: Circuit, nowUs: number): boolean =>
  circuit.isHealthy &&
  (circuit.openUntilUs === 0 || (nowUs >= circuit.openUntilUs && !circuit.isTrying));

export const isUp = ({ isHealthy, openUntilUs }: Circuit): boolean =>
  isHealthy && openUntilUs === 0;

export function begin(circuit: Circuit): void {
  if (circuit.openUntilUs !== 0) circuit.isTrying = true;
}

export function succeed(circuit: Circuit): void {
  circuit.failures = 0;
  circuit.openUntilUs = 0;
  circuit.isTrying = false;
}

export function fail(circuit: Circuit, nowUs: number, { failures, openUs }: CircuitOptions): void {
  circuit.failures++;
  const isOver = circuit.openUntilUs === 0 || circuit.isTrying; // what was sent before it opened changes nothing
  if (failures !== null && isOver && (circuit.isTrying || circuit.failures >= failures))
    circuit.openUntilUs = nowUs + openUs;
  circuit.isTrying = false;
}

/** Its client has left before it was known. */
export function giveUp(circuit: Circuit): void {
  circuit.isTrying = false;
}

// ---------------------------------------------------------------- one of several

export interface Choice {
  readonly weight: number;
  readonly circuit: Circuit | null; // null: nothing is known of it, and it always gets requests
  current: number; // of smooth weighted round robin, as nginx does it: no choice comes in bursts
}

/** Null: none of them gets requests now. `other` is taken only where there is no choice beside it. */
export function choose<C extends Choice>(
  choices: readonly C[],
  nowUs: number,
  other: C | null = null,
): C | null {
  let best: C | null = null;
  let total = 0;
  for (const choice of choices) {
    if (choice === other || (choice.circuit !== null && !canTake(choice.circuit, nowUs))) continue;
    choice.current += choice.weight;
    total += choice.weight;
    if (best === null || choice.current > best.current) best = choice;
  }
  if (best === null) {
    const isThere = other !== null && (other.circuit === null || canTake(other.circuit, nowUs));
    return isThere ? other : null;
  }
  best.current -= total;
  return best;
}
