// The questions that a configuration leaves open, with the answers of --set.
import type { OpenQuestion } from "./reading.ts";

export class Questions {
  readonly values: ReadonlyMap<string, string>; // of --set
  readonly #taken = new Map<string, OpenQuestion>();

  constructor(values: ReadonlyMap<string, string>) {
    this.values = values;
  }

  /** Takes the value of --set, or `otherwise`, and notes the question. */
  takeValue(
    name: string,
    otherwise: string,
    { file, line }: Pick<OpenQuestion, "file" | "line">,
  ): string {
    const set = this.values.get(name);
    const value = set ?? otherwise;
    this.#taken.set(name, { name, file, line, value, isSet: set !== undefined });
    return value;
  }

  get all(): readonly OpenQuestion[] {
    return [...this.#taken.values()];
  }
}
