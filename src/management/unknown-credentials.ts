// Credentials that no key has, so that they are not looked up again. Whoever sends them chooses how many and how long they are.

export interface UnknownCredentials {
  readonly has: (credential: string) => boolean;
  readonly add: (credential: string) => void;
  readonly clear: () => void;
}

const MOST = 10_000;
/** A credential may have as many as all headers of a request, about 16,000. */
const MOST_LETTERS = 2 ** 20;

/** Forgets all where it would hold too many. */
export function unknownCredentials(): UnknownCredentials {
  const known = new Set<string>();
  let letters = 0;
  const clear = (): void => {
    known.clear();
    letters = 0;
  };
  return {
    has: (credential) => known.has(credential),
    add: (credential) => {
      if (known.has(credential)) return;
      if (known.size >= MOST || letters + credential.length > MOST_LETTERS) clear();
      known.add(credential);
      letters += credential.length;
    },
    clear,
  };
}
