// Tests of Redis start their own servers, from the PATH. Where there are none they are left out, loudly; on
// a build machine that is a failure, because a skipped test would go unnoticed there.
import { isOnPath } from "#src/lab/implementations/home.node.ts";

const COMMANDS = ["redis-server", "openssl"];
const INSTALL = "apt-get install -y redis-server openssl";

/** For `describe.skipIf(!redisIsThere)`. */
export const redisIsThere = findCommands();

function findCommands(): boolean {
  const missing = COMMANDS.filter((command) => !isOnPath(command));
  if (missing.length === 0) return true;
  const sentence = `Tests of Redis need ${missing.join(" and ")} on the PATH: ${INSTALL}`;
  if (process.env["CI"] !== undefined) throw new Error(sentence);
  process.stderr.write(`SKIPPED. ${sentence}\n`);
  return false;
}
