// Tokens in the admin API. Only the API's secret may create tokens, because a new token can get any right.
import { z } from "zod";
import { furtherProblemsIn, deleteRecord, createRecord } from "../changes.ts";
import { table, text, integerInQuery } from "../families/fields.ts";
import { newSecret, newToken, tokenView, token, tokens } from "../families/token.ts";
import { operation } from "../operation.ts";
import { Pieces, listShown } from "../pieces.ts";
import { AUDIT_KINDS, type AuditKind } from "../records/bounds.ts";
import type { AuditEntry, Records } from "../records/records.ts";
import { done, doneWith } from "../status.ts";

const ALL = "/admin/org/tokens";

const listTokens = operation({
  interface: "admin",
  method: "GET",
  needs: "audit",
  path: ALL,
  id: "listTokens",
  summary: "List tokens, without their secrets",
  requirements: ["MGT-10"],
  body: null,
  query: null,
  answers: { 200: z.strictObject({ tokens: z.array(token) }) },
  respond: async ({ records }) => {
    const { shown } = await listShown(records, "tokens", null, tokenView);
    return { status: 200, body: { tokens: shown } };
  },
});

const createToken = operation({
  interface: "admin",
  method: "POST",
  needs: "secret",
  path: ALL,
  id: "createToken",
  summary: "Create a token; its secret, `token`, is returned here and never again",
  requirements: ["MGT-10", "MGT-C10"],
  body: newToken,
  query: null,
  answers: { 200: z.strictObject({ token: text, data: token }) },
  refuses: [409],
  example: { id: "ci", role: "write", interface: "dashboard" },
  furtherProblems: furtherProblemsIn(tokens, null),
  respond: async (management, { body, actor }) => {
    const { secrets } = management;
    const secret = newSecret(secrets);
    const creation = { body, actor, operation: "createToken", unique: secrets.hashOf(secret) };
    const { stored } = await createRecord(management, tokens, creation);
    return { status: 200, body: { token: secret, data: tokenView(stored) } };
  },
});

const REVOKED = "Token revoked";

const revokeToken = operation({
  interface: "admin",
  method: "DELETE",
  needs: "secret",
  path: `${ALL}/{id}`,
  id: "revokeToken",
  summary: "Revoke a token at once",
  requirements: ["MGT-10"],
  body: null,
  query: null,
  answers: { 200: done(z.literal(REVOKED), z.null()).extend({ ID: text }) },
  respond: async (management, { params, ifMatch, actor }) => {
    const id = params["id"]!;
    await deleteRecord(management, tokens, { id, ifMatch, actor, operation: "revokeToken" });
    return { status: 200, body: { ID: id, ...doneWith(REVOKED, null) } };
  },
});

const MOST_ENTRIES = 1_000;
const only = z.enum(AUDIT_KINDS, `is ${AUDIT_KINDS.join(" or ")}`);
const document = z.looseObject({}).nullable();

const readAudit = operation({
  interface: "admin",
  method: "GET",
  needs: "audit",
  path: "/admin/org/audit",
  id: "readAudit",
  summary: "List changes of records and uses of tokens, the newest first, without secrets",
  requirements: ["MGT-10"],
  body: null,
  query: table("the query", { most: integerInQuery(1, MOST_ENTRIES), only }).partial(),
  answers: {
    200: z.strictObject({
      entries: z.array(
        z.strictObject({
          at: text,
          seq: z.int(),
          who: text,
          what: text,
          family: text,
          id: text,
          before: document,
          after: document,
        }),
      ),
    }),
  },
  respond: async ({ records }, { query: { most = 100, only = null } }) => {
    const first = await records.listAudit(Math.min(most, ENTRIES_AT_ONCE), only);
    const entries =
      first.length < ENTRIES_AT_ONCE
        ? first.map(showEntry)
        : new Pieces(entriesFrom(records, first, most, only));
    return { status: 200, body: { entries } };
  },
});

/** The number of entries that one query reads. It is small, because an entry may be twice as long as a record. */
const ENTRIES_AT_ONCE = 20;

async function* entriesFrom(
  records: Pick<Records, "listAudit">,
  first: readonly AuditEntry[],
  most: number,
  only: AuditKind | null,
): AsyncGenerator<readonly ReturnType<typeof showEntry>[]> {
  let left = most;
  for (let some = first; some.length > 0;) {
    yield some.map(showEntry);
    left -= some.length;
    if (left === 0) return;
    some = await records.listAudit(Math.min(left, ENTRIES_AT_ONCE), only, some.at(-1)!.seq);
  }
}

/** An entry in its JSON format, whose fields keep their published names. */
export const showEntry = ({ seq, atUs, actor, operation, ...rest }: AuditEntry) => ({
  at: new Date(atUs / 1_000).toISOString(),
  seq,
  who: actor,
  what: operation,
  ...rest,
});

export const TOKENS = [listTokens, createToken, revokeToken, readAudit];
