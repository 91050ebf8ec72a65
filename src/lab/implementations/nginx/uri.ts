// The path of a request as nginx compares it with locations: decoded, without repeated slashes and dots.

export interface ReadTarget {
  readonly host: string | null; // of an absolute URL; null: the target has none
  readonly uri: string;
  readonly args: string;
}

/** Null: nginx answers 400, before any limit. */
export function readTarget(target: string): ReadTarget | null {
  const [, host, rest] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  const text = (rest ?? target).split("#", 1)[0]!;
  const at = text.indexOf("?");
  const path = at < 0 ? text : text.slice(0, at);
  const uri = normalize(path === "" ? "/" : path);
  if (uri === null) return null;
  return { host: host ?? null, uri, args: at < 0 ? "" : text.slice(at + 1) };
}

function normalize(path: string): string | null {
  if (!path.startsWith("/") || /%(?![0-9a-f]{2})|%00/i.test(path)) return null;
  const parts: string[] = [];
  const all = decode(path).split("/").slice(1);
  for (const [index, part] of all.entries()) {
    const isLast = index === all.length - 1;
    if (part === "..") {
      if (parts.pop() === undefined) return null;
      if (isLast) parts.push("");
    } else if (part !== "." && part !== "") parts.push(part);
    else if (isLast) parts.push("");
  }
  return `/${parts.join("/")}`;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return path.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, 16)),
    );
  }
}
