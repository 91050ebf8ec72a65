// Credentials that no key has, so that they are not looked up again. Whoever sends them chooses how many and how long they are.

export interface UnknownCredentials {
  readonly has: (credential: string) => boolean;
  readonly add: (credential: string) => void;
  readonly clear: () => void;
}

const MOST = 10_000;
/** One may have as many letters as all headers of a request, about 16,000: of what is longer than this the hash is kept. */
const MOST_LETTERS = 256;

/** Forgets all where it would hold too many. */
export function unknownCredentials(hashOf: (credential: string) => string): UnknownCredentials {
  const known = new Set<string>();
  const shortened = (credential: string): string =>
    credential.length > MOST_LETTERS ? hashOf(credential) : credential;
  return {
    has: (credential) => known.has(shortened(credential)),
    add: (credential) => {
      const short = shortened(credential);
      if (known.size >= MOST && !known.has(short)) known.clear();
      known.add(short);
    },
    clear: () => known.clear(),
  };
}
