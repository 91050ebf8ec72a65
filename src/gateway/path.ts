// Normalizes paths. Limits match the normalized path that is forwarded (EPT-C7), so no spelling avoids a limit.

import { withoutParameters } from "../limiter/core/resolve/endpoint.ts";

const REFUSED = /%2f|%5c|%00|[\\\0]/i;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * The path of a request target, without its query; null if it is invalid (400). If `leavesOutParameters`, parameters of
 * segments are dropped before dot segments are resolved.
 */
export function normalizePath(target: string, leavesOutParameters = false): string | null {
  if (!leavesOutParameters && isPlain(target)) return target;
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  if (!path.startsWith("/") || REFUSED.test(path)) return null;
  const decoded = decodeUnreserved(path);
  if (decoded === null) return null;
  return withoutDots(leavesOutParameters ? withoutParameters(decoded) : decoded);
}

const SLASH = 47;
const DOT = 46;

/** Whether the target is a plain path, as most are. Comparing characters is faster than a regular expression. */
function isPlain(target: string): boolean {
  if (target.charCodeAt(0) !== SLASH) return false;
  let afterSlash = false;
  for (let i = 0; i < target.length; i++) {
    const code = target.charCodeAt(i);
    switch (code) {
      case 0x00:
      case 0x23: // #
      case 0x25: // %
      case 0x3f: // ?
      case 0x5c: // backslash
        return false;
      case SLASH:
      case DOT:
        if (afterSlash) return false;
        afterSlash = code === SLASH;
        break;
      default:
        afterSlash = false;
    }
  }
  return true;
}

/** Decodes escapes of unreserved characters, and writes other escapes in upper case. Null: an escape is invalid. */
function decodeUnreserved(path: string): string | null {
  if (/%(?![0-9a-f]{2})/i.test(path)) return null;
  return path.replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}

function withoutDots(path: string): string {
  const remaining: string[] = [];
  const segments = path.split("/");
  for (const segment of segments) {
    if (segment === "..") remaining.pop();
    else if (segment !== "" && segment !== ".") remaining.push(segment);
  }
  const last = segments.at(-1);
  const isFolder = remaining.length > 0 && (last === "" || last === "." || last === "..");
  return `/${remaining.join("/")}${isFolder ? "/" : ""}`;
}
