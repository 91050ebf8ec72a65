// Imported into the processes of the control alone: SQLite hands over what it writes and syncs nothing.
import { DatabaseSync } from "node:sqlite";

const exec = Reflect.get(DatabaseSync.prototype, "exec");
DatabaseSync.prototype.exec = function (text) {
  return exec.call(this, text.replace("synchronous = full", "synchronous = off"));
};
