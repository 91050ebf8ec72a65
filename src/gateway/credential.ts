/** Names in lower case, as they are received. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

const BEARER = /^bearer +/i;

/** A secret comes in `Authorization`, raw or Bearer, or in `X-API-Key` (MGT-C10). */
export function credentialIn(headers: ReceivedHeaders): string | null {
  const authorization = first(headers["authorization"]);
  return authorization?.replace(BEARER, "") ?? first(headers["x-api-key"]) ?? null;
}

const first = (value: string | string[] | undefined): string | undefined =>
  typeof value === "object" ? value[0] : value;
