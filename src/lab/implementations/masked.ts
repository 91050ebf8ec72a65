// Hides secrets in the statements of configurations, because statements are printed and saved.

const SECRET =
  /pass(?:word|wd|phrase)?\b|secret|token|private_?key|key_file|key_id|credential|api_?key|authorization|inline_string|inline_bytes/i;

/** Names of limits that have a word of a secret in them. */
const HARMLESS = /token_?bucket|tokens?_?per_?fill|max_?tokens|requested_?tokens|server_tokens/i;

/** Whether the value of a field or directive with this name is secret. */
export const isSecret = (name: string): boolean => SECRET.test(name) && !HARMLESS.test(name);

export const MASK = "***";

/** The value of a field, or the mask. A URL keeps all but its password. */
export const maskValue = (name: string, value: string): string =>
  isSecret(name) ? MASK : value.replaceAll(/(\w:\/\/[^:/@\s]*):[^@/\s]+@/g, `$1:${MASK}@`);
