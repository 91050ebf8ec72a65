// The findings about one dialect. Each is listed once, with all responses that show it.
import type { FindingCode, HeaderFinding } from "./advertised.ts";
import type { JudgedExchange } from "./exchange.ts";

export interface CollectedFinding extends HeaderFinding {
  /** Indexes of responses, from 0. */
  readonly responses: readonly number[];
}

interface NewFinding {
  readonly code: FindingCode;
  readonly header: string | null;
  readonly message: string;
  readonly fix: string;
  readonly severity?: HeaderFinding["severity"];
  readonly column?: number | null;
}

/** Has one finding per code, header and severity. Later ones differ only in numbers; their responses are added. */
export class Dossier {
  readonly #found = new Map<string, HeaderFinding & { readonly responses: Set<number> }>();

  add({ index }: Pick<JudgedExchange, "index">, finding: NewFinding): void {
    const { code, header, severity = "error", column = null } = finding;
    const name = [code, header?.toLowerCase(), severity].join(" ");
    const earlier = this.#found.get(name);
    if (earlier === undefined)
      this.#found.set(name, { ...finding, severity, column, responses: new Set([index]) });
    else earlier.responses.add(index);
  }

  list(): readonly CollectedFinding[] {
    return [...this.#found.values()].map((each) => ({ ...each, responses: [...each.responses] }));
  }
}
