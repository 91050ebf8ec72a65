// A token: the credential of one person or program that manages, with a role and a scope. Only its hash is stored.
import { z } from "zod";
import { fault } from "../../core/problems.ts";
import { INTERFACES } from "../interface-name.ts";
import type { Kind } from "../kind.ts";
import type { Stored } from "../records/records.ts";
import { table, text } from "./fields.ts";

export const ROLES = ["read", "write", "audit"] as const;

/** In front of each, so that one that strayed is found by a search. */
export const TOKEN_PREFIX = "weir_";

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

export const tokens: Kind = {
  family: "tokens",
  unknown: "Token not found",
  taken: "Another token has this secret",
  idAt: ["id"],
  idIn: (document) => document["id"],
  kept: ({ nowUs }, _, said) => {
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
