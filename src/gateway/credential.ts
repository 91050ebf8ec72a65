/** Names in lower case, as they are received. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

const BEARER = /^bearer +/i;

/** What shows a credential. */
export const CREDENTIAL_HEADERS = ["authorization", "x-api-key"] as const;
const [AUTHORIZATION, API_KEY] = CREDENTIAL_HEADERS;

/**
 * Whether one of these headers is there twice, in a list of names and values in turn: two servers may take either for
 * the credential. Asked of every request, so most names are told apart by their length.
 */
export function hasTwoCredentials(raw: readonly string[]): boolean {
  let authorizations = 0;
  let apiKeys = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION)
      authorizations++;
    else if (name.length === API_KEY.length && name.toLowerCase() === API_KEY) apiKeys++;
  }
  return authorizations > 1 || apiKeys > 1;
}

/** A secret comes in `Authorization`, raw or Bearer, or in `X-API-Key` (MGT-C10). */
export function credentialIn(headers: ReceivedHeaders): string | null {
  const authorization = first(headers["authorization"]);
  return authorization?.replace(BEARER, "") ?? first(headers["x-api-key"]) ?? null;
}

const first = (value: string | string[] | undefined): string | undefined =>
  typeof value === "object" ? value[0] : value;
