// What whoever shows a token may do: by its role, its interface and its organisation.
import type { Budgets } from "./budgets.ts";
import { governingOf } from "./governing.ts";
import type { JsonObject } from "./json.ts";
import type { InterfaceName } from "./interface-name.ts";
import type { Management } from "./management.ts";
import { REFUSAL, USE } from "./records/forgetting.ts";
import type { Operation, Right } from "./operation.ts";
import { Refusal } from "./refusal.ts";
import { type Token, isMade, shownToken, TOKEN_PREFIX } from "./families/token.ts";
import { ofOrganisation } from "./of-organisation.ts";

/**
 * Null: nothing that is valid now. About what was not made here the records are asked only where `guess` allows it, and
 * what turns out to be right is taken back: each guess would cost a look-up.
 */
export async function tokenOf(
  { records, secrets, nowUs }: Management,
  said: string | null,
  guess: () => { readonly takeBack: () => void } | null,
): Promise<Token | null> {
  if (said === null || !said.startsWith(TOKEN_PREFIX)) return null;
  const wasMade = isMade(said, secrets.hashOf);
  const guessed = wasMade ? null : guess();
  if (!wasMade && guessed === null) return null;
  const stored = await records.find("tokens", secrets.hashOf(said));
  if (stored === null || stored.isDamaged === true) return null;
  const token = shownToken(stored);
  const isOver = token.expires !== null && !(Date.parse(token.expires) * 1_000 > nowUs());
  if (isOver) return null;
  guessed?.takeBack();
  return token;
}

type Described = Pick<Operation, "id" | "interface" | "needs">;

const MAY: Readonly<Record<Token["role"], readonly Right[]>> = {
  read: ["read"],
  write: ["read", "write"],
  audit: ["audit", "read"],
};

/** Why a token may not do it; null: it may. */
export function whyNot(
  { role, interface: only, organisation }: Token,
  { id, interface: at, needs }: Described,
): string | null {
  if (only !== null && only !== at) return `This token is for the ${only} interface, not for ${at}`;
  if (needs === "secret")
    return `${id} needs the secret of the ${at} interface: no token creates or revokes tokens`;
  if (!MAY[role].includes(needs))
    return `${id} needs the role ${needs}; this token has the role ${role}`;
  if (organisation !== null && WITHOUT_ORGANISATION.has(at))
    return `Records of the ${at} interface belong to no organisation; this token is for ${organisation} alone`;
  return null;
}

const WITHOUT_ORGANISATION: ReadonlySet<InterfaceName> = new Set(["portal", "studio"]);

/** Every use and every refusal is an entry of the audit log, before it is answered. Throws where the token has gone. */
export async function noteUse(
  { records, nowUs }: Management,
  { id }: Token,
  who: string,
  operation: string,
  isAllowed: boolean,
): Promise<void> {
  const atUs = nowUs();
  const what = (isAllowed ? USE : REFUSAL) + operation;
  await records.write({ who, what, atUs }, async (writing) => {
    const before = await writing.read("tokens", id);
    if (before === null) throw new Refusal(401, "This token has been revoked");
    const document: JsonObject = {
      ...before.document,
      last_used: new Date(atUs / 1_000).toISOString(),
    };
    await writing.replace("tokens", before, document, { unique: before.unique, text: null });
  });
}

/** What an operation works with on behalf of a token: no more than it may see. */
export function managementFor(management: Management, { role, organisation }: Token): Management {
  const secrets = role === "write" ? management.secrets : hidden(management.secrets);
  if (organisation === null) return { ...management, secrets };
  return {
    ...management,
    records: ofOrganisation(management.records, organisation),
    configuration: () => governingOf(management.configuration(), organisation),
    secrets,
    budgets: ofKeysAlone(management.budgets, organisation),
  };
}

/** What counts by an address or a header counts clients of all organisations together (LIM-C17). */
const ofKeysAlone = (budgets: Budgets, organisation: string): Budgets => ({
  ...budgets,
  reset: async (keyId, name) => {
    if (name !== null && /\|(?:ip|header):/.test(name))
      throw new Refusal(
        403,
        `This token is for ${organisation} alone: ${JSON.stringify(name)} counts clients of all organisations`,
      );
    return budgets.reset(keyId, name);
  },
});

const MASK = "***";

/** Nothing that lies sealed is opened, sealed or not. */
const hidden = (secrets: Management["secrets"]): Management["secrets"] => ({
  ...secrets,
  isSealed: () => true,
  unseal: (text) => (text === "" ? text : MASK),
});
