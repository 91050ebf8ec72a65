import { accessLog, type AccessLog, type IsCredential } from "../gateway/http/access-log.node.ts";
import { Failure } from "../reading/failure.ts";
import type { Settings } from "../settings/table.ts";

/** Null: there is no log. A failure: it cannot be written. */
export function openLog(
  settings: Settings,
  isCredential: IsCredential,
): AccessLog | Failure | null {
  const to = settings["log.to"];
  if (to === "off") return null;
  const file = settings["log.file"];
  try {
    return accessLog({
      to: to === "stdout" ? to : { file },
      level: settings["log.level"],
      isCredential,
      onFailure: ({ message }) => {
        console.error(`weir: the log cannot be written for now: ${message}`);
      },
    });
  } catch (error) {
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    if (code === undefined) throw error;
    return new Failure(`${file} cannot be written (${code}); set log.file to another file`);
  }
}
