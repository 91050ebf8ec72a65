// Hides secrets in the statements of configurations, because statements are printed and saved.

const SECRET =
  /pass(?:word|wd|phrase)?\b|secret|token|private[-_]?key|key[-_]file|key_id|credential|api[-_]?key|authorization|inline_string|inline_bytes/i;

/** Names of limits that have a word of a secret in them. */
const HARMLESS = /token_?bucket|tokens?_?per_?fill|max_?tokens|requested_?tokens|server_tokens/i;

/** Whether the value of a field or directive with this name is secret. */
export const isSecret = (name: string): boolean => SECRET.test(name) && !HARMLESS.test(name);

export const MASK = "***";

/** A name and the sign before its value, in a list or comparison: `Header=X-Api-Key, VALUE` or `$http_x_api_key = VALUE`. */
const NAMES = /(?<![$\w.-])([$\w.-]+)\s*(?:!?~\*?|!?==?|[,:])\s*(?=[^\s,)\]}])/g;
const VALUE = /"(?:[^"\\]|\\.)*"|[^\s,)\]}]+/y;

/** A text without the values that follow names of secrets. */
export function maskText(text: string): string {
  let masked = "";
  let end = 0;
  for (const { 0: found, 1: name, index } of text.matchAll(NAMES)) {
    if (index < end || !isSecret(name!)) continue; // a value may be the name of the next one
    VALUE.lastIndex = index + found.length;
    masked += text.slice(end, VALUE.lastIndex) + MASK;
    VALUE.exec(text);
    end = VALUE.lastIndex;
  }
  return masked + text.slice(end);
}

/** The value of a field, or the mask. A URL keeps all but its password. */
export const maskValue = (name: string, value: string): string =>
  isSecret(name)
    ? MASK
    : maskText(value.replaceAll(/(\w:\/\/[^:/@\s]*):[^@/\s]+@/g, `$1:${MASK}@`));
