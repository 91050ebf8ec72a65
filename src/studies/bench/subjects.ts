// The servers that a run measures: the selected cells, and the controls.
import type { BenchCell } from "./cells.ts";
import { nameOfControl, type Control, type Factors, type Suite } from "./suite.ts";

export interface BenchSubject {
  readonly name: string;
  readonly role: "cell" | "control";
  /** The load that the server gets. A control without a load in its name gets the base's load. */
  readonly loadFactors: Factors;
  readonly factors: Factors | null; // factors of a cell; null: a control
  readonly control: Control | null;
  readonly preload?: string; // a module that changes the gateway, loaded before it
  readonly weir?: string; // the command of another version of Weir
  readonly processName?: string; // the name in messages, if `name` alone is ambiguous
}

/** The load in the name of a cell; empty for the base's load. The name of a control under that load has it too. */
export const loadPartOf = (name: string): string =>
  name
    .split(" ")
    .filter((part) => /^(?:connections|load_model)=/.test(part))
    .join(" ");

export const controlName = (control: Control, loadPart: string): string =>
  `${nameOfControl(control)} ${loadPart}`.trim();

export const subjectsOf = (
  { base, bounds }: Pick<Suite, "base" | "bounds">,
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
  ...controls.map((control): BenchSubject =>
    controlSubject(control, nameOfControl(control), { ...base, keys: "one", load_model: "closed" }),
  ),
  ...loadsOf(cells).flatMap(([loadPart, { connections, load_model }]) =>
    controls
      .filter((control) =>
        bounds.some(
          (bound) =>
            "control" in bound &&
            bound.control === control &&
            (bound.cell === null || loadPartOf(bound.cell) === loadPart),
        ),
      )
      .map((control) =>
        controlSubject(control, controlName(control, loadPart), {
          ...base,
          keys: "one",
          connections,
          load_model,
        }),
      ),
  ),
];

const controlSubject = (control: Control, name: string, loadFactors: Factors): BenchSubject => ({
  name,
  role: "control",
  loadFactors,
  factors: null,
  control,
});

/** The loads that differ from the base's: each of their cells is compared with a control under the same load. */
const loadsOf = (cells: readonly BenchCell[]): readonly (readonly [string, Factors])[] => [
  ...new Map(
    cells.map(({ name, factors }) => [loadPartOf(name), factors] as const).filter(([part]) => part),
  ),
];
