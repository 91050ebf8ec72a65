// Tokens, by the admin interface. Who may create one could give itself any right, so only the secret of the interface may.
import { z } from "zod";
import { alsoWrongIn, deleted, made } from "../changes.ts";
import { table, text, wholeInQuery } from "../families/fields.ts";
import { newSecret, newToken, shownToken, token, tokens } from "../families/token.ts";
import { operation } from "../operation.ts";
import { shownOf } from "../pieces.ts";
import { AUDIT_KINDS } from "../records/bounds.ts";
import { done, doneWith } from "../status.ts";

const ALL = "/admin/org/tokens";

export const listTokens = operation({
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
  answer: async ({ records }) => {
    const { shown } = await shownOf(records, "tokens", null, shownToken);
    return { status: 200, body: { tokens: shown } };
  },
});

export const createToken = operation({
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
  alsoWrong: alsoWrongIn(tokens, null),
  answer: async (management, { body, who }) => {
    const { secrets } = management;
    const secret = newSecret(secrets);
    const making = { body, who, what: "createToken", unique: secrets.hashOf(secret) };
    const { stored } = await made(management, tokens, making);
    return { status: 200, body: { token: secret, data: shownToken(stored) } };
  },
});

const REVOKED = "Token revoked";

export const revokeToken = operation({
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
  answer: async (management, { params, ifMatch, who }) => {
    const id = params["id"]!;
    await deleted(management, tokens, { id, ifMatch, who, what: "revokeToken" });
    return { status: 200, body: { ID: id, ...doneWith(REVOKED, null) } };
  },
});

const MOST_ENTRIES = 1_000;
const only = z.enum(AUDIT_KINDS, `is ${AUDIT_KINDS.join(" or ")}`);
const document = z.looseObject({}).nullable();

export const readAudit = operation({
  interface: "admin",
  method: "GET",
  needs: "audit",
  path: "/admin/org/audit",
  id: "readAudit",
  summary: "List changes of records and uses of tokens, the newest first, without secrets",
  requirements: ["MGT-10"],
  body: null,
  query: table("the query", { most: wholeInQuery(1, MOST_ENTRIES), only }).partial(),
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
  answer: async ({ records }, { query: { most = 100, only = null } }) => {
    const entries = (await records.audited(most, only)).map(({ atUs, ...rest }) => ({
      at: new Date(atUs / 1_000).toISOString(),
      ...rest,
    }));
    return { status: 200, body: { entries } };
  },
});

export const TOKENS = [listTokens, createToken, revokeToken, readAudit];
