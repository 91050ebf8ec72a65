// What takes part in a run: the cells that were chosen, and the controls that stand beside them.
import type { Cell } from "./cells.ts";
import type { Control, Factors, Suite } from "./suite.ts";

export interface Subject {
  readonly name: string;
  readonly role: "cell" | "control";
  /** How it is asked; of a control as the base is. */
  readonly asked: Factors;
  readonly factors: Factors | null; // of a cell of Weir
  readonly control: Control | null;
  readonly preload?: string; // a module that makes it another gateway
  readonly weir?: string; // the command of another version
  readonly called?: string; // where its name is not enough to know its process by
}

export const subjectsOf = (
  { base }: Suite,
  cells: readonly Cell[],
  controls: readonly Control[],
): readonly Subject[] => [
  ...cells.map(({ name, factors }): Subject => ({
    name,
    role: "cell",
    asked: factors,
    factors,
    control: null,
  })),
  ...controls.map((control): Subject => ({
    name: control,
    role: "control",
    asked: { ...base, keys: "one", load_model: "closed" },
    factors: null,
    control,
  })),
];
