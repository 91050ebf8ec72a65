// A token: the credential of one person or program for the management APIs, with a role and a scope. Only its hash is
// stored.
import { z } from "zod";
import { errorAt } from "../../../kit/reading/problems.ts";
import { INTERFACES } from "../interface-name.ts";
import type { RecordType } from "../record-type.ts";
import type { Secrets } from "../management.ts";
import type { Stored } from "../records/records.ts";
import { table, text } from "./fields.ts";

export const ROLES = ["read", "write", "audit"] as const;

/** Every token begins with this prefix, so that secret scanners can find a leaked token. */
export const TOKEN_PREFIX = "weir_";

const TAG_LETTERS = 16;

/** Generates a secret that ends with a tag: a peppered hash of the secret's other characters. */
export function newSecret({ generate, hashOf }: Secrets): string {
  const start = `${TOKEN_PREFIX}${generate()}_`;
  return start + tagOf(start, hashOf);
}

const tagOf = (start: string, hashOf: Secrets["hashOf"]): string =>
  hashOf(`tag_${start}`).slice(0, TAG_LETTERS);

/** Whether this installation has generated the secret. Compares only the tag at its end, and reads no records. */
export function isGenerated(secret: string, hashOf: Secrets["hashOf"]): boolean {
  const start = secret.slice(0, -TAG_LETTERS);
  // Comparing hashes takes the same time whatever part of the tag is correct.
  return hashOf(tagOf(start, hashOf)) === hashOf(secret.slice(-TAG_LETTERS));
}

const role = z.enum(ROLES, "is read, write or audit");
const at = z.enum(INTERFACES, `is one of ${INTERFACES.join(", ")}`);
const timestamp = text
  .refine((date) => /^\d{4}-\d\d-\d\dT/.test(date) && !Number.isNaN(Date.parse(date)), {
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
  prepare: ({ nowUs }, _, body) => {
    const created_at = new Date(nowUs() / 1_000).toISOString();
    const isTooWide = body["role"] === "audit" && typeof body["organisation"] === "string";
    const problem = errorAt(
      "MGT-FIELD",
      ["organisation"],
      "is not possible for audit: the log covers all organisations",
    );
    return {
      document: { ...body, created_at },
      foundBy: { unique: null, text: null },
      problems: isTooWide ? [problem] : [],
    };
  },
};

const NOTHING = { interface: null, organisation: null, expires: null, last_used: null };

export const tokenView = ({ id, document }: Stored): Token =>
  ({ ...NOTHING, ...document, id }) as unknown as Token;
