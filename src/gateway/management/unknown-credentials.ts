// Remembers credentials without a key, to avoid a second lookup. Clients choose how many there are, and their length.

interface UnknownCredentials {
  readonly has: (credential: string) => boolean;
  readonly add: (credential: string) => void;
  readonly clear: () => void;
}

const MOST = 10_000;
/** Longer credentials are stored as hashes, because headers may have about 16,000 characters. */
const MOST_LETTERS = 256;

/** An empty set of unknown credentials. When it has MOST entries, the next `add` removes them first. */
export function unknownCredentials(hashOf: (credential: string) => string): UnknownCredentials {
  const known = new Set<string>();
  const shorten = (credential: string): string =>
    credential.length > MOST_LETTERS ? hashOf(credential) : credential;
  return {
    has: (credential) => known.has(shorten(credential)),
    add: (credential) => {
      const short = shorten(credential);
      if (known.size >= MOST && !known.has(short)) known.clear();
      known.add(short);
    },
    clear: () => known.clear(),
  };
}
