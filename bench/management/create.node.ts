// Prepares the suite management: a file of records with a number of keys. Half of the keys apply a policy, the others
// have limits of their own.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { recordsInFile } from "../../src/gateway/management/records/sqlite.node.ts";
import { requireValue } from "../../src/kit/reading/failure.ts";
import { readInput } from "../program.node.ts";
import { credential, hashOf } from "./credential.node.ts";

const { folder, keys } = readInput() as { readonly folder: string; readonly keys: number };
const file = join(folder, "weir.db");
const records = requireValue(await recordsInFile(file)); // which creates the tables
await records.close();
fill(file, keys);

function fill(file: string, keys: number): void {
  const database = new DatabaseSync(file);
  database.function("hashed", (index) => hashOf(credential(Number(index))));
  database.exec(`
    pragma synchronous = off;
    begin;
    insert into records (family, id, version, document, found_by)
      values ('apis', 'a', 1, '{"listen":"/a"}', '/a'),
        ('policies', 'p', 1, '{"rate":100,"per":60,"access_rights":{"a":{}}}', null);
    insert into records (family, id, version, document, found_by)
      with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${keys - 1})
      select 'keys', 'k' || n, 1, iif(n % 2 = 0, '{"apply_policies":["p"]}',
        '{"rate":' || (n % 1000 + 1) || ',"per":60,"access_rights":{"a":{}}}'), hashed(n) from counted;
    commit;
  `);
  database.close();
}
