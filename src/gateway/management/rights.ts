// The rights of a token, by its role, management API and organisation.
import type { Budgets } from "./budgets.ts";
import { limitConfiguration } from "./read-configuration.ts";
import type { JsonObject } from "./json.ts";
import type { InterfaceName } from "./interface-name.ts";
import type { Management } from "./management.ts";
import { REFUSAL, USE } from "./records/bounds.ts";
import type { Operation, Right } from "./operation.ts";
import { Rejection } from "./rejection.ts";
import { type Token, isGenerated, tokenView, TOKEN_PREFIX } from "./families/token.ts";
import { limitToOrganisation } from "./organisation-records.ts";

/**
 * Returns the token with this secret; null: there is no valid token. `guess` limits the lookups of strings that this
 * installation has not generated, because each lookup reads the records. A valid token does not use up that limit.
 */
export async function tokenOf(
  { records, secrets, nowUs }: Management,
  credential: string | null,
  guess: () => { readonly takeBack: () => void } | null,
): Promise<Token | null> {
  if (credential === null || !credential.startsWith(TOKEN_PREFIX)) return null;
  const wasMade = isGenerated(credential, secrets.hashOf);
  const guessed = wasMade ? null : guess();
  if (!wasMade && guessed === null) return null;
  const stored = await records.find("tokens", secrets.hashOf(credential));
  if (stored === null || stored.isDamaged === true) return null;
  const token = tokenView(stored);
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

/** Why a token may not use an operation; null: it may. */
function rejectionReason(
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

/** Adds each use and each rejection to the audit log, before the response. Throws if the token was revoked. */
export async function noteUse(
  { records, nowUs }: Management,
  { id }: Token,
  actor: string,
  used: string,
  isAllowed: boolean,
): Promise<void> {
  const atUs = nowUs();
  const operation = (isAllowed ? USE : REFUSAL) + used;
  await records.write({ actor, operation, atUs }, async (writing) => {
    const before = await writing.read("tokens", id);
    if (before === null) throw new Rejection(401, "This token has been revoked");
    const document: JsonObject = {
      ...before.document,
      last_used: new Date(atUs / 1_000).toISOString(),
    };
    await writing.replace("tokens", before, document, { unique: before.unique, text: null });
  });
}

/**
 * Rejects an operation that the token does not allow. Otherwise returns the dependencies that the operation may use.
 * `token` null: the client has the API's secret.
 */
export async function authorize(
  management: Management,
  token: Token | null,
  operation: Described,
  actor: string,
): Promise<Management> {
  if (token === null) return management;
  const why = rejectionReason(token, operation);
  await noteUse(management, token, actor, operation.id, why === null);
  if (why !== null) throw new Rejection(403, why);
  return managementFor(management, token);
}

/** The dependencies of an operation, limited to what the token may see. */
function managementFor(management: Management, { role, organisation }: Token): Management {
  const secrets = role === "write" ? management.secrets : hidden(management.secrets);
  if (organisation === null) return { ...management, secrets };
  return {
    ...management,
    records: limitToOrganisation(management.records, organisation),
    configuration: () => limitConfiguration(management.configuration(), organisation),
    secrets,
    budgets: ofKeysAlone(management.budgets, organisation),
  };
}

/** Rejects resets of a budget per address or header: clients of all organisations share that budget (LIM-C17). */
const ofKeysAlone = (budgets: Budgets, organisation: string): Budgets => ({
  ...budgets,
  reset: async (keyId, name) => {
    if (name !== null && /\|(?:ip|header):/.test(name))
      throw new Rejection(
        403,
        `This token is for ${organisation} alone: ${JSON.stringify(name)} counts clients of all organisations`,
      );
    return budgets.reset(keyId, name);
  },
});

const MASK = "***";

/** Replaces `unseal` by a function that returns a mask instead of the plain text. */
const hidden = (secrets: Management["secrets"]): Management["secrets"] => ({
  ...secrets,
  isSealed: () => true,
  unseal: (text) => (text === "" ? text : MASK),
});
