import { accessLog, type AccessLog, type IsCredential } from "../http/access-log.node.ts";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../kit/reading/failure.ts";
import { createFolders, whyUnwritable } from "../../kit/reading/folder.node.ts";
import { whyUnreadable } from "../../kit/reading/text-file.node.ts";
import type { Settings } from "../settings/table.ts";

/** Why the log cannot be written, tested before the start creates anything. Null: it can, or there is no log. */
export function findLogProblem({ "log.to": to, "log.file": file }: Settings): string | null {
  if (to !== "file") return null;
  const problem = existsSync(file) ? whyNotAppended(file) : whyUnwritable(file);
  return problem === null ? null : `${problem}; set log.file to another file`;
}

/** Tests the log itself, because its folder may not allow new files. */
function whyNotAppended(file: string): string | null {
  try {
    if (statSync(file).isDirectory()) return `${file}: this is a folder`;
    accessSync(file, constants.W_OK);
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
}

/** Null: there is no log. A failure: the log cannot be written. */
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
