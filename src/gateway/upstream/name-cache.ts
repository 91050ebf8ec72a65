// Caches a property that is computed from a header's name. Clients and upstreams use few different names.
const MOST_NAMES = 1_000;
const LONGEST_NAME = 64;

export class NameCache<Value extends string | null> {
  readonly #evaluate: (name: string) => Value;
  readonly #known = new Map<string, Value>();

  constructor(evaluate: (name: string) => Value) {
    this.#evaluate = evaluate;
  }

  get size(): number {
    return this.#known.size;
  }

  of(name: string): Value {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const value = this.#evaluate(name);
    if (name.length > LONGEST_NAME) return value;
    if (this.#known.size >= MOST_NAMES) this.#known.clear();
    this.#known.set(name, value);
    return value;
  }
}
