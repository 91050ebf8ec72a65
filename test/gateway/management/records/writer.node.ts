// A process that writes as fast as it can until it is killed: two records of one number in each write, and the number
// on its output when the write has been answered.
import { recordsInPostgres } from "#src/gateway/management/records/postgres.node.ts";
import { recordsInFile } from "#src/gateway/management/records/sqlite.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";

const [where, first] = process.argv.slice(2) as [string, string];
const records = requireValue(
  await (where.startsWith("postgres:") ? recordsInPostgres(where) : recordsInFile(where)),
);

const nothing = { unique: null, text: null };
let next = Number(first);
const write = async (): Promise<void> => {
  for (;;) {
    const number = next++;
    const audited = { actor: "writer", operation: "write", atUs: number };
    await records.write(audited, async ({ insert, read, replace }) => {
      await insert("keys", `one ${number}`, { number }, nothing);
      await insert("keys", `two ${number}`, { number }, nothing);
      const counted = await read("keys", `count ${number % 10}`);
      if (counted === null)
        await insert(
          "keys",
          `count ${number % 10}`,
          { count: 1 },
          { unique: null, text: "counted" },
        );
      else {
        const count = Number(counted.document["count"]) + 1;
        await replace("keys", counted, { count }, { unique: null, text: "counted" });
      }
    });
    process.stdout.write(`${number}\n`);
  }
};
await Promise.all(Array.from({ length: 20 }, write));
