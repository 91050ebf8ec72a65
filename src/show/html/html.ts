// Markup is a type of its own, so that no scenario name becomes an element: text is escaped wherever it is inserted.
import { escapeHtml } from "./escape.ts";

/** Because of the private field, the compiler rejects a string in place of markup. */
class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type { Html };

/** `null` and `false` insert nothing, so that a condition needs no empty string. */
export type Insertable = Html | string | number | null | false | readonly Insertable[];

/** Escapes each inserted string; inserts `Html` unchanged and the items of a list one after another. */
export function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  let markup = parts[0]!;
  for (const [index, value] of values.entries()) markup += markupOf(value) + parts[index + 1]!;
  return new Html(markup);
}

export function join(items: readonly Insertable[], separator: Insertable): Html {
  return new Html(items.map(markupOf).join(markupOf(separator)));
}

/** The only way to bypass escaping: for style, script, packed data and charts, which Weir itself produced. */
export const trustMarkup = (markup: string): Html => new Html(markup);

export const NOTHING = html``;

function markupOf(value: Insertable): string {
  if (value instanceof Html) return String(value);
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return value === null || value === false ? "" : value.map(markupOf).join("");
}
