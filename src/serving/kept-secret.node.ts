// A secret that no setting says: made at the first start, and kept in a file that only its owner can read.
import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { weakness } from "../settings/shapes.ts";
import { createLasting } from "../reading/lasting-file.node.ts";
import { whyUnreadable } from "../reading/text-file.node.ts";
import { makeUntracked } from "../reading/untracked.node.ts";
import { whyNotPrivate } from "./whether-private.node.ts";

export interface KeptSecret {
  readonly secret: string;
  readonly isNew: boolean;
}

export interface Keeping {
  readonly file: string;
  readonly setting: string; // which says another place
  readonly mayMake: boolean;
}

const SECRET_BYTES = 32;

export function keptSecret(keeping: Keeping): KeptSecret | { readonly fault: string } {
  const { file, mayMake } = keeping;
  if (!mayMake) return existing(keeping);
  try {
    // It may be in a place where nothing can be written.
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return existing(keeping);
    makeUntracked(dirname(file), 0o700);
    const secret = madeSecret();
    // Of two that start at once, one makes it and the other reads it.
    createLasting(file, `${secret}\n`, 0o600);
    return { secret, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return existing(keeping);
    return cannot(keeping, error);
  }
}

export const madeSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

const cannot = ({ file, setting }: Keeping, error: unknown): { readonly fault: string } => ({
  fault: `${file}: ${whyUnreadable(error)}; ${setting} says where the secret may lie`,
});

function existing(keeping: Keeping): KeptSecret | { readonly fault: string } {
  const { file, mayMake } = keeping;
  try {
    const secret = readFileSync(file, "utf8").trim();
    if (secret === "") {
      const fix = mayMake ? "delete it, and the next start makes a new secret" : "bring it back";
      return { fault: `${file} is empty; ${fix}` };
    }
    if (!/^[!-~]+$/.test(secret))
      return { fault: `${file} holds more than one word of printable ASCII, which no secret is` };
    const open = whyNotPrivate(file);
    if (open !== null) return { fault: open };
    const weak = weakness(secret);
    if (weak !== null) return { fault: `${file}: the secret there ${weak.what}; ${weak.fix}` };
    return { secret, isNew: false };
  } catch (error) {
    return cannot(keeping, error);
  }
}
