// Generates, hashes and seals secrets with keys that are derived from the installation's key. Without that key, records
// reveal only names.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { SealedAt, Secrets } from "../management.ts";

const SECRET_BYTES = 24; // 192 bits; MGT-C10 requires 128
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";
const FORMAT = "sealed-1:"; // prefix of sealed values in this format

/** The functions of one key. `pepper` is the key of the hash function, in base64url. */
export interface InstallationKey extends Pick<
  Secrets,
  "isSealed" | "generate" | "seal" | "unseal"
> {
  readonly pepper: string;
  readonly hashWith: (pepper: string) => Secrets["hashOf"];
}

export function installationKey(key: string): InstallationKey {
  const pepper = deriveKey(key, "weir: hashes of keys");
  const sealing = deriveKey(key, "weir: sealed values");
  return {
    pepper: pepper.toString("base64url"),
    generate: () => randomBytes(SECRET_BYTES).toString("base64url"),
    hashWith: (pepperText) => {
      const bytes = Buffer.from(pepperText, "base64url");
      return (secret) => createHmac("sha256", bytes).update(secret).digest("base64url");
    },
    seal: (text, at) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, nonce).setAAD(placeOf(at));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    isSealed: (text) => text.startsWith(FORMAT),
    unseal: (sealed, at) => {
      const bytes = Buffer.from(sealed.slice(FORMAT.length), "base64url");
      if (!sealed.startsWith(FORMAT) || bytes.length < NONCE_BYTES + TAG_BYTES)
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

/** Whether `unseal` succeeds: its key is the key with which the value was sealed. */
export function opens(unseal: Secrets["unseal"], sealed: string, at: SealedAt): boolean {
  try {
    unseal(sealed, at);
    return true;
  } catch (error) {
    if (error instanceof Error) return false; // every error means that another key has sealed it
    throw error;
  }
}

/** Derives a key for one use. If it leaks, it reveals nothing about the keys for other uses. */
const deriveKey = (key: string, use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", use, KEY_BYTES));

/** Encodes a value's place. The cipher authenticates it, so a copy in another record or field cannot be unsealed. */
const placeOf = ({ family, id, field }: SealedAt): Buffer =>
  Buffer.from(JSON.stringify([family, id, field]));
