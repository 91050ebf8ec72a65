// The rule that src compares secrets in one function, in constant time.

/** A secret of a client, or the value that it is compared with: by the last word of a name, in any object. */
const SECRET = String.raw`(?:[\w$]+(?:\(\))?[!?]?\.)*\w*(?:secret|password|passphrase|pepper|token|credential|signature|hmac|api_?key|access_?key)(?:\(\))?!?`;
/** The duration of a comparison with such a constant reveals nothing. */
const CONSTANT = String.raw`(?!\s*(?:null\b|undefined\b|["'\d]|(?-i:[A-Z][A-Z_]*\b)))`;
const METHOD = "(?:startsWith|endsWith|includes|indexOf|localeCompare|equals|compare)";

/** The duration of such a comparison reveals how much of the value matches. */
const SECRET_COMPARED: readonly RegExp[] = [
  String.raw`\b${SECRET}\s*[!=]=(?:=|(?!=))${CONSTANT}`,
  String.raw`(?<!["'\w])(?!["'])\S+\s*[!=]==?\s*${SECRET}(?![\w.([?!])`,
  String.raw`\.${METHOD}\(\s*${SECRET}\s*[,)]`,
  String.raw`\b${SECRET}\.${METHOD}\(${CONSTANT}(?!\s*[/])`,
  String.raw`\bswitch \(${SECRET}\)`,
  String.raw`\btimingSafeEqual\b`, // it throws if the lengths differ, which reveals the length
].map((pattern) => new RegExp(pattern, "i"));

const GUARD = "src/gateway/management/http/guard.node.ts";

/** Both sides of these are the operator's own, and no request reaches them. */
const COMPARED_AT_HOME: ReadonlyMap<string, string> = new Map([
  ["src/gateway/management/import-world.ts", "configuredId === credential"], // a key of a file without an id
  ["src/gateway/management/key-cache.ts", "other !== credential"], // which of a key's own credentials goes
]);

/** `code` has no comments. */
export function secretProblems(path: string, code: string): readonly string[] {
  if (path === GUARD) return [];
  const atHome = COMPARED_AT_HOME.get(path);
  return code
    .split("\n")
    .flatMap((content, line) =>
      SECRET_COMPARED.some((pattern) => pattern.test(content)) &&
      (atHome === undefined || !content.includes(atHome))
        ? [`${path}:${line + 1} compares a secret itself: ask isSecret of ${GUARD}`]
        : [],
    );
}
