// The secret of the admin listener where no setting says one: made at the first start, and kept in a file
// that only its owner can read.
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InterfaceName } from "../../management/operation.ts";
import type { Settings } from "../../settings/table.ts";
import { whyUnreadable } from "../text-file.node.ts";

export interface KeptSecret {
  readonly secret: string;
  readonly isNew: boolean;
  readonly warning: string | null;
}

const SECRET_BYTES = 32;
const READABLE_BY_OTHERS = 0o077;

export const secretFileOf = (settings: Settings, name: InterfaceName): string =>
  settings[`${name}.secret_file`] ?? join(settings.data, `${name}-secret`);

export function keptSecret(file: string): KeptSecret | { readonly fault: string } {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    // "wx": of two that start at once, one makes it and the other reads it.
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
    return { secret, isNew: true, warning: null };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return existing(file);
    return cannot(file, error);
  }
}

const cannot = (file: string, error: unknown): { readonly fault: string } => ({
  fault: `${file}: ${whyUnreadable(error)}; admin.secret_file says where the secret may lie`,
});

function existing(file: string): KeptSecret | { readonly fault: string } {
  try {
    const secret = readFileSync(file, "utf8").trim();
    if (secret === "")
      return { fault: `${file} is empty; delete it, and the next start makes a new secret` };
    const isOpen = (statSync(file).mode & READABLE_BY_OTHERS) !== 0;
    const warning = isOpen ? `${file} can be read by others; chmod 600 ${file}` : null;
    return { secret, isNew: false, warning };
  } catch (error) {
    return cannot(file, error);
  }
}
