// A mutant: the original limiter with one function replaced. The suite has to distinguish it from the original, or its
// expectations prove nothing.

/** Called with the arguments of the function that it replaces. */
export type AnyFunction = (...args: never[]) => unknown;

export interface Mutant<F extends AnyFunction = AnyFunction> {
  /** Its error, in one sentence. */
  readonly about: string;
  /** The requirements that it breaks. */
  readonly breaks: readonly string[];
  /** A published limiter with this error: a project and the number of its thread. */
  readonly found?: string;
  /** `folder/file.ts#function` below src, or `#object.member`. */
  readonly replaces: string;
  /** Returns the wrong function, which may call the right one. Written as a method so that a list can hold all kinds. */
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
