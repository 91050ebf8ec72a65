// The state of the playground as the fragment of its address, which browsers do not send to a server. Browsers and Node
// write the same fragment.
import { sha256 } from "../../limiter/core/sha256.ts";
import { Failure } from "../../kit/reading/failure.ts";
import type { ScenarioText } from "./run-scenario.ts";
import { throughStream } from "./through-stream.ts";

const VERSION = "1";
const CHECK_DIGITS = 8;

/** Maximum size of an unpacked state in bytes; a scenario is never larger. */
const MOST_BYTES = 1_000_000;

const INCOMPLETE =
  "The address of this page is incomplete, or a program has changed it on its way: it was probably cut off. Open the whole address.";

/** The format is `#1.<digits of a digest>.<compressed file, seed and text>`. */
export async function fragmentOf({ file, text, seed }: ScenarioText): Promise<string> {
  const json = JSON.stringify({ file, seed, text });
  const packed = await throughStream(
    new TextEncoder().encode(json),
    new CompressionStream("deflate-raw"),
    Number.POSITIVE_INFINITY,
  );
  return `#${VERSION}.${checkOf(json)}.${base64Of(packed!)}`;
}

/** The state in a fragment; null if the fragment is empty, and a failure if it is damaged. */
export async function stateOf(fragment: string): Promise<ScenarioText | Failure | null> {
  if (/^#?$/.test(fragment)) return null;
  const [, version, check, data] = /^#(\d+)\.([0-9a-f]*)\.?([\w-]*)$/.exec(fragment) ?? [];
  if (version === undefined || check === undefined || data === undefined)
    return new Failure(INCOMPLETE);
  if (version !== VERSION)
    return new Failure(
      `This address was made by another version of the playground (${version}). Open it in that version.`,
    );
  try {
    const bytes = await throughStream(
      bytesOf(data),
      new DecompressionStream("deflate-raw"),
      MOST_BYTES,
    );
    if (bytes === null) return new Failure(INCOMPLETE);
    const json = new TextDecoder().decode(bytes);
    if (checkOf(json) !== check) return new Failure(INCOMPLETE);
    // Older addresses also have the position of the form, which follows from the text.
    const { file, seed, text } = JSON.parse(json) as Partial<ScenarioText>;
    const isState =
      typeof file === "string" && typeof text === "string" && Number.isSafeInteger(seed);
    return isState ? { file, seed: seed!, text } : new Failure(INCOMPLETE);
  } catch {
    // The browser's own message ("TypeError: junk found") would only mislead.
    return new Failure(INCOMPLETE);
  }
}

const checkOf = (json: string): string => sha256(json).slice(0, CHECK_DIGITS);

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCodePoint(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.codePointAt(0)!);
}

/** An address with the id of a scenario on the site, in place of its text. */
const OF_SITE = /^#scenario=([\w./-]+)$/;

/** The id of a scenario in an address; null if the fragment has a text or is empty. */
export const siteScenarioIn = (fragment: string): string | null =>
  OF_SITE.exec(fragment)?.[1] ?? null;

/** The address of the playground with a scenario of the suite, relative to the root of the site. */
export const playgroundOf = (id: string): string => `playground/#scenario=${id}`;

/** The playground's address with a scenario, from the root of the site. `file` is the file name in commands. */
export const playgroundWith = async (file: string, text: string): Promise<string> =>
  `playground/${await fragmentOf({ file, text, seed: 1 })}`;
