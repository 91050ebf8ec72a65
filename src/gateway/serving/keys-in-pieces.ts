// Splits the keys of a world into pieces, to send them to another thread or process. A world may have 100,000 keys, and
// copying them in one step would block a serving thread.
import type { Configuration, Key } from "../../limiter/core/config.ts";

/** Some keys of the enforced configuration, or of its shadow limits. */
export interface Piece {
  readonly of: "enforced" | "shadow";
  readonly keys: readonly (readonly [credential: string, key: Key])[];
}

/** Keys in a piece. Copying 250 takes about a millisecond if each has its own metadata and access rights. */
const KEYS_IN_A_PIECE = 250;

export function* piecesOf(configuration: Configuration): Generator<Piece, undefined> {
  const { shadow } = configuration;
  yield* piecesFrom("enforced", configuration.keys);
  if (shadow !== null) yield* piecesFrom("shadow", shadow.keys);
}

function* piecesFrom(of: Piece["of"], all: Configuration["keys"]): Generator<Piece, undefined> {
  let keys: (readonly [string, Key])[] = [];
  for (const entry of all) {
    keys.push(entry);
    if (keys.length < KEYS_IN_A_PIECE) continue;
    yield { of, keys };
    keys = [];
  }
  if (keys.length > 0) yield { of, keys };
}

/** The configuration without its keys. */
export const withoutKeys = (configuration: Configuration): Configuration =>
  withKeys(configuration, { enforced: new Map(), shadow: new Map() });

interface GatheredKeys {
  readonly add: (piece: Piece) => void;
  readonly count: () => number;
  /** Adds the received keys to a configuration without keys. */
  readonly complete: (bare: Configuration) => Configuration;
}

export function gatherKeys(): GatheredKeys {
  const keys = { enforced: new Map<string, Key>(), shadow: new Map<string, Key>() };
  return {
    add: (piece) => {
      for (const [credential, key] of piece.keys) keys[piece.of].set(credential, key);
    },
    count: () => keys.enforced.size + keys.shadow.size,
    complete: (bare) => withKeys(bare, keys),
  };
}

const withKeys = (
  configuration: Configuration,
  keys: Readonly<Record<Piece["of"], Configuration["keys"]>>,
): Configuration => ({
  ...configuration,
  keys: keys.enforced,
  shadow: configuration.shadow && { ...configuration.shadow, keys: keys.shadow },
});
