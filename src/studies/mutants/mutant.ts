// A mutant is the original limiter with one function replaced. If the suite cannot distinguish it from the original,
// expectations prove nothing.

/** The type of any function that a mutant replaces. */
export type AnyFunction = (...args: never[]) => unknown;

export interface Mutant<F extends AnyFunction = AnyFunction> {
  /** The error of the mutant, in one sentence. */
  readonly about: string;
  /** The requirements that it breaks. */
  readonly breaks: readonly string[];
  /** A published limiter with this error: its project, and the number of an issue. */
  readonly found?: string;
  /** `folder/file.ts#function` below src, or `#object.member`. */
  readonly replaces: string;
  /** Returns the wrong function, which may call `right`. A method, so that mutants of any `F` fit in one list. */
  by(right: F): F;
}

export interface NamedMutant extends Mutant {
  readonly name: string; // area/name, as its file is called
}

/** The file and the function of an address. */
export function parseAddress({ replaces }: Pick<Mutant, "replaces">): {
  readonly file: string;
  readonly member: string;
} {
  const [file = "", member = ""] = replaces.split("#");
  return { file, member };
}
