// What a gateway seals and hashes with, without the files that its key may come from.
import type { Secrets } from "#src/gateway/management/management.ts";
import { installationKey, opens } from "#src/gateway/management/secrets/secrets.node.ts";

/** With one key that never changes. */
export function secretsWith(key: string): Secrets {
  const { pepper, hashWith, generate, seal, unseal, isSealed } = installationKey(key);
  return {
    generate,
    seal,
    unseal,
    isSealed,
    hashOf: hashWith(pepper),
    isOfKey: (sealed, at) => opens(unseal, sealed, at),
    useKeyOf: () => {},
  };
}
