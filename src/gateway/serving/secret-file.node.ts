// Reads a secret that no setting contains. The first start creates it in a file that only the file's owner can read.
import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../kit/reading/failure.ts";
import { findSecretProblem } from "../settings/shapes.ts";
import { createDurable } from "../../kit/reading/durable-file.node.ts";
import { whyUnreadable } from "../../kit/reading/text-file.node.ts";
import { createUntrackedFolder } from "../../kit/reading/untracked.node.ts";
import { findPrivacyProblem } from "./file-privacy.node.ts";

interface SecretFile {
  readonly secret: string;
  readonly isNew: boolean;
}

export interface SecretFileOptions {
  readonly file: string;
  readonly setting: string; // the setting by which a user names another file
  readonly canCreate: boolean;
}

const SECRET_BYTES = 32;

export function readOrCreateSecret(options: SecretFileOptions): SecretFile | Failure {
  const { file, canCreate } = options;
  if (!canCreate) return readSecret(options);
  try {
    // An existing file is only read, because its folder may not be writable.
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return readSecret(options);
    createUntrackedFolder(dirname(file), 0o700);
    const secret = createSecret();
    // If two processes start together, one creates the file and the other reads it.
    createDurable(file, `${secret}\n`, 0o600);
    return { secret, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return readSecret(options);
    return accessFailure(options, error);
  }
}

export const createSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

const accessFailure = ({ file, setting }: SecretFileOptions, error: unknown): Failure =>
  new Failure(`${file}: ${whyUnreadable(error)}; set ${setting} to another place`);

function readSecret(options: SecretFileOptions): SecretFile | Failure {
  const { file, canCreate } = options;
  try {
    const secret = readFileSync(file, "utf8").trim();
    if (secret === "") {
      const fix = canCreate ? "delete it, and the next start creates a new secret" : "restore it";
      return new Failure(`${file} is empty; ${fix}`);
    }
    if (!/^[!-~]+$/.test(secret))
      return new Failure(`${file} must contain one word of printable ASCII`);
    const privacyProblem = findPrivacyProblem(file);
    if (privacyProblem !== null) return new Failure(privacyProblem);
    const problem = findSecretProblem(secret);
    if (problem !== null)
      return new Failure(`${file}: the secret there ${problem.what}; ${problem.fix}`);
    return { secret, isNew: false };
  } catch (error) {
    return accessFailure(options, error);
  }
}
