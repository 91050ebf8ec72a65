/** Whether a header occurs more than once in a list of names and values. */
export function isRepeated(raw: readonly string[], header: string): boolean {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.length === header.length && name.toLowerCase() === header) count++;
  }
  return count > 1;
}

/** Names are in lower case, as Node returns them. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

const BEARER = /^bearer +/i;

/** The headers that can contain a credential. */
export const CREDENTIAL_HEADERS = ["authorization", "x-api-key"] as const;

/** Whether a credential header occurs twice. Its values may differ, and the upstream could use a different one. */
export const hasTwoCredentials = (raw: readonly string[]): boolean =>
  isRepeated(raw, AUTHORIZATION) || isRepeated(raw, API_KEY);

const [AUTHORIZATION, API_KEY] = CREDENTIAL_HEADERS;

/** Returns the credential in `Authorization`, with or without Bearer, or else in `X-API-Key` (MGT-C10). */
export function credentialIn(headers: ReceivedHeaders): string | null {
  const authorization = first(headers["authorization"]);
  return authorization?.replace(BEARER, "") ?? first(headers["x-api-key"]) ?? null;
}

const first = (value: string | string[] | undefined): string | undefined =>
  typeof value === "object" ? value[0] : value;
