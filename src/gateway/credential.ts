/** Whether a header is there more than once, in a list of names and values in turn. */
export function isRepeated(raw: readonly string[], header: string): boolean {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.length === header.length && name.toLowerCase() === header) count++;
  }
  return count > 1;
}

/** Names in lower case, as they are received. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

const BEARER = /^bearer +/i;

/** The headers that can have a credential. */
export const CREDENTIAL_HEADERS = ["authorization", "x-api-key"] as const;

/** Whether one of these headers is there twice: two servers may take either for the credential. */
export const hasTwoCredentials = (raw: readonly string[]): boolean =>
  isRepeated(raw, AUTHORIZATION) || isRepeated(raw, API_KEY);

const [AUTHORIZATION, API_KEY] = CREDENTIAL_HEADERS;

/** A secret comes in `Authorization`, raw or Bearer, or in `X-API-Key` (MGT-C10). */
export function credentialIn(headers: ReceivedHeaders): string | null {
  const authorization = first(headers["authorization"]);
  return authorization?.replace(BEARER, "") ?? first(headers["x-api-key"]) ?? null;
}

const first = (value: string | string[] | undefined): string | undefined =>
  typeof value === "object" ? value[0] : value;
