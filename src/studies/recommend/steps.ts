// The steps of a search, so that it can show its progress and be interrupted between two of them.

/** Called before each step, because a search of many requests takes minutes. False ends the search early. */
export type IsStepWanted = (done: number, of: number) => Promise<boolean>;

/** Counts the steps of a search: one for each candidate and placement, one for each window, and one for the burst. */
export class SearchSteps {
  isCut = false;
  #done = 0;
  readonly #all: number;
  readonly #isWanted: IsStepWanted | undefined;

  constructor(all: number, isWanted: IsStepWanted | undefined) {
    this.#all = all;
    this.#isWanted = isWanted;
  }

  async isNextWanted(): Promise<boolean> {
    if (!this.isCut && this.#isWanted !== undefined)
      this.isCut = !(await this.#isWanted(this.#done++, this.#all));
    return !this.isCut;
  }
}
