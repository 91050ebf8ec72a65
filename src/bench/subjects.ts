// The participants of a run: the selected cells, and the controls.
import type { BenchCell } from "./cells.ts";
import type { Control, Factors, Suite } from "./suite.ts";

export interface BenchSubject {
  readonly name: string;
  readonly role: "cell" | "control";
  /** The load that it gets; a control gets that of the base. */
  readonly loadFactors: Factors;
  readonly factors: Factors | null; // of a cell of Weir
  readonly control: Control | null;
  readonly preload?: string; // a module that changes the gateway, loaded before it
  readonly weir?: string; // the command of another version of Weir
  readonly processName?: string; // in messages, if the name alone is ambiguous
}

export const subjectsOf = (
  { base }: Suite,
  cells: readonly BenchCell[],
  controls: readonly Control[],
): readonly BenchSubject[] => [
  ...cells.map(({ name, factors }): BenchSubject => ({
    name,
    role: "cell",
    loadFactors: factors,
    factors,
    control: null,
  })),
  ...controls.map((control): BenchSubject => ({
    name: control,
    role: "control",
    loadFactors: { ...base, keys: "one", load_model: "closed" },
    factors: null,
    control,
  })),
];
