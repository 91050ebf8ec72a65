// The path under which an API listens: plain text that a normalised request path can start with (EPT-C7).
import { isLiteralPathCharacter, notNormal } from "./pattern.ts";
import { has, member, noteAt, show, type Place } from "./place.ts";

/** A member that may hold the listen path; the place is null where its object is absent. */
export type ListenMember = readonly [place: Place | null, name: string];

/**
 * The listen path, from the first member that has one: its own place in a definition, or the short
 * `listen` beside it. Null, with a fault, where there is none or none that can be served.
 */
export function listenPathOf(owner: Place, candidates: readonly ListenMember[]): string | null {
  const said = candidates.flatMap(([place, name]) =>
    place !== null && has(place, name) ? [{ place, name }] : [],
  );
  if (said.length === 0) {
    const fix = "add listen, such as /orders";
    noteAt(owner, null, "CFG-REQUIRED", "the listen path is missing", fix);
  }
  let chosen: string | null = null;
  for (const { place, name } of said) {
    const path = readListenPath(place, name);
    if (chosen !== null && path !== null && path !== chosen) {
      const message = `${name} is ${path}, but the API listens on ${chosen}`;
      noteAt(place, name, "CFG-CONFLICT", message, "keep one of them");
    }
    chosen ??= path;
  }
  return chosen;
}

/** A slash at the end says nothing and is dropped. */
function readListenPath(place: Place, name: string): string | null {
  const text = member(place, name);
  if (typeof text !== "string") {
    noteAt(place, name, "CFG-TYPE", `${name} is a string, not ${show(text)}`);
    return null;
  }
  const wrong = faultOf(text);
  if (wrong === null) {
    const path = text === "/" ? text : text.replace(/\/$/, "");
    if (OWN_PAGES.has(path)) {
      const message = `the gateway answers ${path} by itself, so the API only gets what lies below`;
      noteAt(place, name, "CFG-LISTEN-PATH-OWN", message, "choose another path");
    }
    return path;
  }
  noteAt(place, name, "CFG-LISTEN-PATH", `listen path ${show(text)} ${wrong}`);
  return null;
}

/** Where gateways say how they are; these come before every API (MGT-C11). */
const OWN_PAGES: ReadonlySet<string> = new Set(["/hello", "/ready", "/metrics"]);

function faultOf(text: string): string | null {
  if (!text.startsWith("/")) return 'does not start with "/"';
  const strange = Array.from(text).find((character) => !isLiteralPathCharacter(character));
  if (strange !== undefined) return `holds ${show(strange)}; it is plain text without wildcards`;
  const what = notNormal(text);
  return what === null ? null : `holds ${what}, which normalisation takes out of every request`;
}
