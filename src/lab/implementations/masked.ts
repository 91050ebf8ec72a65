// Hides secrets in the statements of configurations, because statements are printed and saved.

const SECRET =
  /pass(?:word|wd|phrase)?\b|secret|token|private[-_]?key|key[-_]file|key_id|credential|api[-_]?key|authorization|inline_string|inline_bytes/i;

/** Names of limits that have a word of a secret in them. */
const HARMLESS = /token_?bucket|tokens?_?per_?fill|max_?tokens|requested_?tokens|server_tokens/i;

/** Whether the value of a field or directive with this name is secret. */
export const isSecret = (name: string): boolean => SECRET.test(name) && !HARMLESS.test(name);

export const MASK = "***";

/** What follows the name of a secret in a list or comparison: `Header=X-Api-Key, VALUE` or `$http_x_api_key = VALUE`. */
const FOLLOWING = /([$\w.-]+)(\s*(?:!?~\*?|!?==?|[,:])\s*)("(?:[^"\\]|\\.)*"|[^\s,)\]}]+)/g;

/** A text without the values that follow names of secrets. */
export function maskText(text: string): string {
  let masked = "";
  let from = 0;
  for (;;) {
    FOLLOWING.lastIndex = from;
    const match = FOLLOWING.exec(text);
    if (match === null) return masked + text.slice(from);
    const [all, name = "", sign = "", value = ""] = match;
    const valueAt = match.index + all.length - value.length;
    const isHidden = isSecret(name);
    masked += text.slice(from, match.index) + name + sign + (isHidden ? MASK : "");
    from = isHidden ? valueAt + value.length : valueAt; // a value may be the name of the next one
  }
}

/** The value of a field, or the mask. A URL keeps all but its password. */
export const maskValue = (name: string, value: string): string =>
  isSecret(name)
    ? MASK
    : maskText(value.replaceAll(/(\w:\/\/[^:/@\s]*):[^@/\s]+@/g, `$1:${MASK}@`));
