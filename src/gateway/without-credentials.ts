// Masks credentials in everything that clients send, before it appears in a log, an event or a webhook. A credential
// may be in a path, a query, a request id or a header that selects a budget, and may be escaped or encoded.
export interface Masking {
  /** The credential of the request, valid or not. */
  readonly own: string | null;
  /** Whether the text is the credential of a key that this gateway knows. */
  readonly isCredential: (text: string) => boolean;
  /** Whether the request has no known key. If so, each text that looks like a credential is masked. */
  readonly isStrange: boolean;
}

const MASK = "***";

/** Masks a path and the names of its query. Values of a query are always masked, because they are often secrets. */
export function maskTarget(target: string, masking: Masking): string {
  const end = target.indexOf("?");
  const path = maskPath(end < 0 ? target : target.slice(0, end), masking);
  return end < 0 ? path : `${path}?${maskQuery(target.slice(end + 1), masking)}`;
}

const maskQuery = (query: string, masking: Masking): string =>
  query
    .split("&")
    .map((part) => {
      const [name = "", ...values] = part.split("=");
      const shown = isRevealing(name, masking) ? MASK : name;
      return values.length === 0 ? shown : `${shown}=*`;
    })
    .join("&");

/** Cuts a path of more than `most` characters after a slash: half of a credential would not be found and masked. */
export function startOfPath(path: string, most: number): string {
  if (path.length <= most) return path;
  return path.slice(0, path.lastIndexOf("/", most - 1) + 1);
}

export function maskPath(path: string, masking: Masking): string {
  const segments = path.split("/");
  const shown = segments.map((each) => (isRevealing(each, masking) ? MASK : each));
  // A base64 credential may contain slashes, so up to three segments are joined and tested.
  for (let from = 0; from < segments.length; from++) {
    let joined = segments[from]!;
    for (let to = from + 1; to < Math.min(from + MOST_JOINED, segments.length); to++) {
      joined = `${joined}/${segments[to]!}`;
      if (spellingsOf(joined).some(masking.isCredential)) shown.fill(MASK, from, to + 1);
    }
  }
  const whole = shown.join("/");
  return holdsOwn(whole, masking.own) ? `/${MASK}` : whole;
}

const MOST_JOINED = 3;

/** A token of the management APIs, recognized by its form. */
const TOKEN = /weir_[\w-]{16}/;

/** Whether the whole text has to be masked. */
export const isRevealing = (text: string, { own, isCredential, isStrange }: Masking): boolean =>
  text !== "" &&
  (spellingsOf(text).some((each) => TOKEN.test(each)) ||
    holdsOwn(text, own) ||
    isKnown(text, isCredential) ||
    (isStrange && spellingsOf(text).some(mayBeCredential)));

/** Masks the value of a header in the name of a budget, if the value may contain a credential. */
export const maskBudget = (budget: string, masking: Masking): string =>
  budget.replace(/(\|header:[^:]+:)(.*)$/s, (whole, before: string, value: string) =>
    isRevealing(value, { ...masking, isStrange: false }) ? before + MASK : whole,
  );

const SHORTEST_STRANGE = 16;
const SHORTEST_STRANGEST = 8; // for words of three kinds of characters, as in base64 between slashes

/** Whether a word of the text has + or =, or is long and mixes digits, upper case and lower case. */
function mayBeCredential(text: string): boolean {
  for (const word of text.split(/[^A-Za-z0-9_~+=-]+/)) {
    if (/[+=]/.test(word)) return true;
    if (word.length < SHORTEST_STRANGEST) continue;
    const kinds = KINDS.filter((kind) => kind.test(word)).length;
    if (kinds > (word.length < SHORTEST_STRANGE ? 2 : 1)) return true;
  }
  return false;
}

const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/];

function isKnown(text: string, isCredential: Masking["isCredential"]): boolean {
  for (const spelling of spellingsOf(text)) {
    if (isCredential(spelling)) return true;
    if (ONE_WORD.test(spelling)) {
      if (isEncoded(spelling, isCredential)) return true;
      continue;
    }
    for (const word of spelling.split(/[;,=&:@!$'"()*|<>\s]+/)) {
      if (word === "") continue;
      const dot = word.indexOf(".");
      if (isCredential(word) || (dot > 0 && isCredential(word.slice(0, dot)))) return true;
      if (isEncoded(word, isCredential)) return true;
    }
  }
  return false;
}

const ONE_WORD = /^[A-Za-z0-9_~-]*$/;

/** Whether a word is base64 of a credential, or of NAME:CREDENTIAL as in `Basic`. */
function isEncoded(word: string, isCredential: Masking["isCredential"]): boolean {
  const open = fromBase64(word);
  return open !== null && open.split(":").some(isCredential);
}

function holdsOwn(text: string, own: string | null): boolean {
  if (own === null || own === "") return false;
  // Short credentials match only whole words: a client that sends "a" as credential must not mask every "a".
  if (own.length < SHORTEST_WITHIN) return isKnown(text, (each) => each === own);
  const plain = own.trim();
  return spellingsOf(text).some(
    (each) =>
      each.includes(plain) ||
      (each.length > plain.length && encodingsOf(plain).some((form) => each.includes(form))),
  );
}

/** All base64 forms that the text can have as a part of a longer encoded text. */
function encodingsOf(plain: string): readonly string[] {
  const cached = encodings.get(plain);
  if (cached !== undefined) return cached;
  const forms = new Set<string>();
  for (const before of ["", "a", "aa"]) {
    // Characters that also encode bits before or after the credential are cut off.
    const from = before.length === 0 ? 0 : before.length + 1;
    const to = Math.floor(((before.length + plain.length) * 8) / 6);
    const form = toBase64(before + plain).slice(from, to);
    forms.add(form).add(form.replaceAll("+", "-").replaceAll("/", "_"));
  }
  const encoded = [...forms].filter((form) => form.length >= SHORTEST_ENCODED);
  if (plain.length > LONGEST_CACHED) return encoded;
  if (encodings.size >= MOST_ENCODED) encodings.clear();
  encodings.set(plain, encoded);
  return encoded;
}

/** Cached, because clients repeat their credentials. At most 3 MB, because long credentials are not cached. */
const encodings = new Map<string, readonly string[]>();
const MOST_ENCODED = 1_000;
const LONGEST_CACHED = 256;

const SHORTEST_ENCODED = 5;
const SHORTEST_WITHIN = 6;

const MOST_DECODED = 3;

/** The text, and each result of decoding its percent and backslash escapes again, up to three times. */
function spellingsOf(text: string): readonly string[] {
  if (!/[%\\+]/.test(text)) return [text];
  const all = [text];
  for (let times = 0; times < MOST_DECODED; times++) {
    const next = decodeEscapes(all.at(-1)!);
    if (next === all.at(-1)) break;
    all.push(next);
  }
  if (text.includes("+")) all.push(all.at(-1)!.replaceAll("+", " "));
  return all;
}

/** Decodes escapes. Each escaped byte becomes a Latin-1 character, as in the value of a header. */
const decodeEscapes = (text: string): string =>
  text.replaceAll(
    /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(["\\/])/gi,
    (_, percent?: string, json?: string, hex?: string, escaped?: string) =>
      escaped ?? String.fromCharCode(Number.parseInt((percent ?? json ?? hex)!, 16)),
  );

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Encodes Latin-1 characters as base64 without padding. */
function toBase64(text: string): string {
  let letters = "";
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    held = (held << 8) | (letter.charCodeAt(0) & 0xff);
    for (bits += 8; bits >= 6; bits -= 6) letters += LETTERS[(held >> (bits - 6)) & 63]!;
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? letters : letters + LETTERS[(held << (6 - bits)) & 63]!;
}

/** Decodes base64 or base64url, padded or not; null: the text is not base64. */
function fromBase64(text: string): string | null {
  if (!/^[A-Za-z0-9+/_-]{6,4096}={0,2}$/.test(text)) return null;
  let open = "";
  let bits = 0;
  let held = 0;
  for (const letter of text.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "")) {
    held = (held << 6) | LETTERS.indexOf(letter);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    open += String.fromCharCode((held >> bits) & 0xff);
    held &= (1 << bits) - 1;
  }
  return open;
}
