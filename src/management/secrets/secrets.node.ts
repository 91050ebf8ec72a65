// What makes, hashes and seals, all from the one key of an installation: whoever has the records and not the key
// has nothing but names.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { SealedAt, Secrets } from "../management.ts";

const MADE_BYTES = 24; // 192 bits: MGT-C10 wants 128 at least
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";
const FORM = "sealed-1:"; // so that another form can be told from this one

/** What one key does. `pepper` is what hashes are made with, in base64url. */
export interface OfKey extends Pick<Secrets, "isSealed" | "generate" | "seal" | "unseal"> {
  readonly pepper: string;
  readonly hashWith: (pepper: string) => Secrets["hashOf"];
}

export function ofKey(key: string): OfKey {
  const pepper = derived(key, "weir: hashes of keys");
  const sealing = derived(key, "weir: sealed values");
  return {
    pepper: pepper.toString("base64url"),
    generate: () => randomBytes(MADE_BYTES).toString("base64url"),
    hashWith: (said) => {
      const bytes = Buffer.from(said, "base64url");
      return (secret) => createHmac("sha256", bytes).update(secret).digest("base64url");
    },
    seal: (text, at) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, nonce).setAAD(placeOf(at));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return FORM + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    isSealed: (text) => text.startsWith(FORM),
    unseal: (sealed, at) => {
      const bytes = Buffer.from(sealed.slice(FORM.length), "base64url");
      if (!sealed.startsWith(FORM) || bytes.length < NONCE_BYTES + TAG_BYTES)
        throw new Error(`${at.family} ${at.id} holds no sealed ${at.field}`);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const cipher = createDecipheriv(CIPHER, sealing, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(placeOf(at)).setAuthTag(tag);
      const text = cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, cipher.final()]).toString("utf8");
    },
  };
}

/** Whether a key that unseals so has sealed it. */
export function opens(unseal: Secrets["unseal"], sealed: string, at: SealedAt): boolean {
  try {
    unseal(sealed, at);
    return true;
  } catch (error) {
    if (error instanceof Error) return false; // whatever it is that does not open
    throw error;
  }
}

/** One for each use: what is known of one says nothing about another. */
const derived = (key: string, use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", use, KEY_BYTES));

/** A value that was carried to another record, or another field, does not open there. */
const placeOf = ({ family, id, field }: SealedAt): Buffer =>
  Buffer.from(JSON.stringify([family, id, field]));
