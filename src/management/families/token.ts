// A token: the credential of one person or program that manages, with a role and a scope. Only its hash is stored.
import { z } from "zod";
import { fault } from "../../reading/problems.ts";
import { INTERFACES } from "../interface-name.ts";
import type { RecordType } from "../record-type.ts";
import type { Secrets } from "../management.ts";
import type { Stored } from "../records/records.ts";
import { table, text } from "./fields.ts";

export const ROLES = ["read", "write", "audit"] as const;

/** In front of each, so that one that strayed is found by a search. */
export const TOKEN_PREFIX = "weir_";

const TAG_LETTERS = 16;

/** Its last letters are a hash of the others, which whoever has not the pepper cannot make. */
export function newSecret({ generate, hashOf }: Secrets): string {
  const start = `${TOKEN_PREFIX}${generate()}_`;
  return start + tagOf(start, hashOf);
}

const tagOf = (start: string, hashOf: Secrets["hashOf"]): string =>
  hashOf(`tag_${start}`).slice(0, TAG_LETTERS);

/** Whether a token of this form was made here, without a look at the records. Of earlier ones only those can tell. */
export function isMade(said: string, hashOf: Secrets["hashOf"]): boolean {
  const start = said.slice(0, -TAG_LETTERS);
  // As hashes, so that the time that it takes tells nothing about the tag.
  return hashOf(tagOf(start, hashOf)) === hashOf(said.slice(-TAG_LETTERS));
}

const role = z.enum(ROLES, "is read, write or audit");
const at = z.enum(INTERFACES, `is one of ${INTERFACES.join(", ")}`);
const timestamp = text
  .refine((said) => /^\d{4}-\d\d-\d\dT/.test(said) && !Number.isNaN(Date.parse(said)), {
    error: "is a time such as 2027-01-31T00:00:00Z",
  })
  .meta({ format: "date-time" });

export const newToken = table("a token", {
  id: text.optional(),
  role,
  interface: at.nullable().optional(),
  organisation: text.nullable().optional(),
  expires: timestamp.nullable().optional(),
});

export const token = table("a token", {
  id: text,
  role,
  interface: at.nullable(),
  organisation: text.nullable(),
  expires: text.nullable(),
  created_at: text,
  last_used: text.nullable(),
});
export type Token = z.infer<typeof token>;

export const tokens: RecordType = {
  name: "tokens",
  unknownMessage: "Token not found",
  conflictMessage: "Another token has this secret",
  idAt: ["id"],
  idIn: (document) => document["id"],
  prepare: ({ nowUs }, _, said) => {
    const created_at = new Date(nowUs() / 1_000).toISOString();
    const isTooWide = said["role"] === "audit" && typeof said["organisation"] === "string";
    const wide = fault(
      "MGT-FIELD",
      ["organisation"],
      "is not possible for audit: the log is of all",
    );
    return {
      document: { ...said, created_at },
      foundBy: { unique: null, text: null },
      problems: isTooWide ? [wide] : [],
    };
  },
};

const NOTHING = { interface: null, organisation: null, expires: null, last_used: null };

export const shownToken = ({ id, document }: Stored): Token =>
  ({ ...NOTHING, ...document, id }) as unknown as Token;
