// Counts over time, in at most a few hundred steps. A longer log gets longer steps, which limits the memory.
const MOST_STEPS = 400;
const SECOND_US = 1_000_000;
/** Lengths of a step; each is a multiple of the one before. */
const LENGTHS = [1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 604_800].map((s) => s * SECOND_US);

export class OverTime {
  stepUs = LENGTHS[0]!;
  readonly #series: number;
  #steps = new Map<number, number[]>(); // by index since 1970; only those with a request
  #last = { startUs: 0, endUs: 0, counts: [] as number[] }; // the step found last, in which the next request mostly is

  constructor(series: number) {
    this.#series = series;
  }

  /** The end of the step that `at` returned last. */
  get endUs(): number {
    return this.#last.endUs;
  }

  /** The counts of the step that contains `atUs`, one for each series. */
  at(atUs: number): number[] {
    const { startUs, endUs, counts } = this.#last;
    return atUs >= startUs && atUs < endUs ? counts : this.#find(atUs);
  }

  #find(atUs: number): number[] {
    const index = Math.floor(atUs / this.stepUs);
    let counts = this.#steps.get(index);
    if (counts === undefined) {
      counts = Array.from({ length: this.#series }, () => 0);
      this.#steps.set(index, counts);
      if (this.#steps.size > MOST_STEPS && this.#coarsen()) return this.#find(atUs);
    }
    const startUs = index * this.stepUs;
    this.#last = { startUs, endUs: startUs + this.stepUs, counts };
    return counts;
  }

  /** Joins steps to longer ones. Returns false if there is no longer step. */
  #coarsen(): boolean {
    const next = LENGTHS[LENGTHS.indexOf(this.stepUs) + 1];
    if (next === undefined) return false;
    const factor = next / this.stepUs;
    const steps = new Map<number, number[]>();
    for (const [index, counts] of this.#steps) {
      const coarse = Math.floor(index / factor);
      const sums = steps.get(coarse);
      if (sums === undefined) steps.set(coarse, counts);
      else for (let i = 0; i < counts.length; i++) sums[i]! += counts[i]!;
    }
    this.#steps = steps;
    this.stepUs = next;
    return true;
  }

  /** All steps in the order of time, without those that have no request. */
  steps(): readonly { readonly startUs: number; readonly counts: readonly number[] }[] {
    return [...this.#steps]
      .toSorted(([a], [b]) => a - b)
      .map(([index, counts]) => ({ startUs: index * this.stepUs, counts }));
  }
}
