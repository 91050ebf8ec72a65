// What ends a change of how records are sealed: nothing that was deleted is left in the file. FILE.
import { recordsInFile } from "../../../../src/management/records/sqlite.node.ts";

const records = await recordsInFile(process.argv[2]!);
if ("problem" in records) throw new Error(records.problem);
await records.wipe();
await records.close();
