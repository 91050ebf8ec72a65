// What ends a change of how records are sealed: nothing that was deleted is left in the file. FILE.
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";

const records = requireValue(await recordsInFile(process.argv[2]!));
await records.wipe();
await records.close();
