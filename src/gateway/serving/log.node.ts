import { accessLog, type AccessLog, type IsCredential } from "../http/access-log.node.ts";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../kit/reading/failure.ts";
import { createFolders, whyUnwritable } from "../../kit/reading/folder.node.ts";
import { whyUnreadable } from "../../kit/reading/text-file.node.ts";
import type { Settings } from "../settings/table.ts";

/** Why the log file cannot be written; null: it can, or no file is used. Called before the start creates any file. */
export function findLogProblem({ "log.to": to, "log.file": file }: Settings): string | null {
  if (to !== "file") return null;
  const problem = existsSync(file) ? whyNotAppended(file) : whyUnwritable(file);
  return problem === null ? null : `${problem}; set log.file to another file`;
}

/** Why an existing log cannot be extended; null: it can. Its folder need not be writable for that. */
function whyNotAppended(file: string): string | null {
  try {
    if (statSync(file).isDirectory()) return `${file}: this is a folder`;
    accessSync(file, constants.W_OK);
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
}

/** Opens the log. Null: the settings turn it off. A failure: it cannot be written. */
export function openLog(
  settings: Settings,
  isCredential: IsCredential,
): AccessLog | Failure | null {
  const to = settings["log.to"];
  if (to === "off") return null;
  const file = settings["log.file"];
  try {
    if (to === "file") createFolders(dirname(file));
    return accessLog({
      to: to === "stdout" ? to : { file },
      level: settings["log.level"],
      isCredential,
      onFailure: ({ message }) => {
        console.error(`weir: the log cannot be written for now: ${message}`);
      },
    });
  } catch (error) {
    return new Failure(`${file}: ${whyUnreadable(error)}; set log.file to another file`);
  }
}
