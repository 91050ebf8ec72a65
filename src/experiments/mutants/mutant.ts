// A known-bad limiter: the reference with one function replaced. The suite has to tell it from the
// reference; whoever cannot is not judging anything.

/** Called with what it was made for, and with nothing else. */
export type AnyFunction = (...args: never[]) => unknown;

export interface Mutant<F extends AnyFunction = AnyFunction> {
  /** What it does wrong, in one sentence. */
  readonly about: string;
  /** The requirements that it breaks. */
  readonly breaks: readonly string[];
  /** Where somebody really shipped it: a project and the number of its thread. */
  readonly found?: string;
  /** `folder/file.ts#function` below src, or `#object.member`. */
  readonly replaces: string;
  /** Makes the wrong function; it may ask the right one. Written as a method so that a list can hold all kinds. */
  by(right: F): F;
}

export interface NamedMutant extends Mutant {
  readonly name: string; // area/name, as its file is called
}

/** The file and the function of an address. */
export function parts({ replaces }: Pick<Mutant, "replaces">): {
  readonly file: string;
  readonly member: string;
} {
  const [file = "", member = ""] = replaces.split("#");
  return { file, member };
}
