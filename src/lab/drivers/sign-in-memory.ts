// Signs webhooks where no synchronous cryptography exists, such as in a browser: HMAC (RFC 2104) with the core's
// SHA-256. The keys of simulations are not secret.
import { sha256OfBytes } from "../../limiter/core/sha256.ts";
import type { Sign } from "../../gateway/management/events/letter.ts";

const BLOCK = 64;
const STANDARD_PREFIX = "whsec_";
const encoder = new TextEncoder();

/** Signs as the sender of a served gateway does. */
export const signInMemory: Sign = (secret, text) => {
  const key = secret.startsWith(STANDARD_PREFIX)
    ? fromBase64(secret.slice(STANDARD_PREFIX.length))
    : encoder.encode(secret);
  return toBase64(hmac(key, encoder.encode(text)));
};

function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? hash(key) : key);
  const inner = hash(
    block.map((byte) => byte ^ 0x36),
    message,
  );
  return hash(
    block.map((byte) => byte ^ 0x5c),
    inner,
  );
}

const hash = (...chunks: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(sha256OfBytes(chunks).match(/../g)!, (hex) => Number.parseInt(hex, 16));

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Decodes as leniently as Node: both alphabets, up to the padding, skipping all other characters. */
function fromBase64(text: string): Uint8Array {
  const digits = text
    .split("=", 1)[0]!
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replaceAll(/[^A-Za-z0-9+/]/g, "");
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (char) => char.charCodeAt(0));
}
