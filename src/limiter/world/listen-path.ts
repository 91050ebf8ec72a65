// The path under which an API listens: plain text that a normalised request path can start with (EPT-C7).
import { isLiteralPathCharacter, notNormal } from "./pattern.ts";
import { has, member, noteAt, show, type PlacedObject } from "./place.ts";

/** A field that may have the listen path; null: the object of the field is absent. */
type ListenMember = readonly [place: PlacedObject | null, name: string];

/**
 * The listen path from the first candidate that is present. Null, with an error, if there is none or it cannot be
 * served.
 */
export function listenPathOf(
  owner: PlacedObject,
  candidates: readonly ListenMember[],
): string | null {
  const present = candidates.flatMap(([place, name]) =>
    place !== null && has(place, name) ? [{ place, name }] : [],
  );
  if (present.length === 0) {
    const fix = "add listen, such as /orders";
    noteAt(owner, null, "CFG-REQUIRED", "the listen path is missing", fix);
  }
  let chosen: string | null = null;
  for (const { place, name } of present) {
    const path = readListenPath(place, name);
    if (chosen !== null && path !== null && path !== chosen) {
      const message = `${name} is ${path}, but the API listens on ${chosen}`;
      noteAt(place, name, "CFG-CONFLICT", message, "keep one of them");
    }
    chosen ??= path;
  }
  return chosen;
}

/** A slash at the end has no effect and is dropped. */
function readListenPath(place: PlacedObject, name: string): string | null {
  const text = member(place, name);
  if (typeof text !== "string") {
    noteAt(place, name, "CFG-TYPE", `${name} must be a string; got ${show(text)}`);
    return null;
  }
  const wrong = faultOf(text);
  if (wrong === null) {
    const path = text === "/" ? text : text.replace(/\/$/, "");
    if (OWN_PAGES.has(path)) {
      const message = `the gateway answers ${path} by itself, so the API only gets the paths below it`;
      noteAt(place, name, "CFG-LISTEN-PATH-OWN", message, "choose another path");
    }
    return path;
  }
  noteAt(place, name, "CFG-LISTEN-PATH", `listen path ${show(text)} ${wrong}`);
  return null;
}

/** The gateway's own status pages, which precede every API (MGT-C11). */
const OWN_PAGES: ReadonlySet<string> = new Set(["/hello", "/ready", "/metrics"]);

function faultOf(text: string): string | null {
  if (!text.startsWith("/")) return `does not start with "/"; write ${show(`/${text}`)}`;
  const strange = Array.from(text).find((character) => !isLiteralPathCharacter(character));
  if (strange !== undefined) return `contains ${show(strange)}; write plain text without wildcards`;
  const what = notNormal(text);
  return what === null ? null : `has ${what}, which normalisation removes from every request`;
}
