// The state of the page, in the fragment of its address: position, search and colour scheme. The page has no other
// state, so that a link shows the same to every reader.
import { NOTHING_SOUGHT, type Sought } from "./find.ts";

export interface Address {
  readonly anchor: string; // id of an element; "" for the top
  readonly variant: string | null; // name of the displayed variant
  readonly line: number | null; // highlighted expectation, by its line in the scenario file
  readonly refusal: number | null; // the open refusal, by its row in the history
  readonly sought: Sought;
  readonly scheme: "light" | "dark" | null; // null: as the system is set
}

export const NOWHERE: Address = {
  anchor: "",
  variant: null,
  line: null,
  refusal: null,
  sought: NOTHING_SOUGHT,
  scheme: null,
};

const SOUGHT = ["text", "outcome", "folder", "requirement", "algorithm"] as const;

/** Compares well-formed names, because an address cannot contain half a surrogate pair. */
export const isNamed = (name: string, { variant }: Address): boolean =>
  variant === name.toWellFormed();

/** Parses the fragment of a URL. Missing and invalid values become null or "". */
export function addressOf(hash: string): Address {
  const text = hash.replace(/^#/, "");
  const mark = text.indexOf("?");
  const values = new Map(
    (mark < 0 ? "" : text.slice(mark + 1)).split("&").map((pair): [string, string] => {
      const [name = "", ...rest] = pair.split("=");
      return [name, decodePart(rest.join("="))];
    }),
  );
  const number = (name: string): number | null => {
    const value = values.get(name) ?? "";
    return /^\d{1,15}$/.test(value) ? Number(value) : null;
  };
  const scheme = values.get("scheme");
  const sought = { ...NOTHING_SOUGHT };
  for (const name of SOUGHT) sought[name] = values.get(name) ?? "";
  return {
    anchor: mark < 0 ? text : text.slice(0, mark),
    variant: values.get("variant") ?? null,
    line: number("line"),
    refusal: number("refusal"),
    sought,
    scheme: scheme === "light" || scheme === "dark" ? scheme : null,
  };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text; // typed by a reader, without encoding
  }
}

export function hashOf({ anchor, variant, line, refusal, sought, scheme }: Address): string {
  const values = [
    ["variant", variant],
    ["line", line],
    ["refusal", refusal],
    ...SOUGHT.map((name) => [name, sought[name] === "" ? null : sought[name]] as const),
    ["scheme", scheme],
  ] as const;
  const pairs = values.flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(String(value).toWellFormed())}`],
  );
  return pairs.length === 0 ? `#${anchor}` : `#${anchor}?${pairs.join("&")}`;
}
