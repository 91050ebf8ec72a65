// Prepares the suite records: a number of users and as many keys in one file, created inside SQL.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { recordsInFile } from "../../src/gateway/management/records/sqlite.node.ts";
import { requireValue } from "../../src/kit/reading/failure.ts";
import { readInput } from "../program.node.ts";

interface Input {
  readonly folder: string;
  readonly rows: number;
}

const { folder, rows } = readInput() as Input;
const file = join(folder, "weir.db");

// Weir creates its tables.
const records = requireValue(await recordsInFile(file));
await records.close();

const database = new DatabaseSync(file);
database.exec("pragma synchronous = off; pragma cache_size = -500000; begin");
const all = `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${rows - 1})`;
const address = "printf('user%07d@example%03d.org', i, i % 1000)";
const first = "printf('first%04d', i % 10000)";
const last = "printf('last%05d', i / 16)";
database.exec(`${all} insert into records (family, id, version, document, found_by, text)
  select 'users', printf('u%07d', i), 1, json_object('id', printf('u%07d', i), 'active', json('true'),
    'email_address', ${address}, 'first_name', ${first}, 'last_name', ${last}, 'access_key', hex(zeroblob(32)),
    'org_id', 'o', 'group_id', '', 'user_permissions', json('{}'), 'api_model', json('{}')),
    ${address}, ${address} || ' ' || ${first} || ' ' || ${last} from n`);
database.exec(`${all} insert into records (family, id, version, document, found_by, text)
  select 'keys', printf('k%07d', i), 1, json_object('key_id', printf('k%07d', i), 'rate', 5, 'per', 1,
    'quota_max', -1, 'access_rights', json('{"orders": {}}'), 'meta_data', json('{}')),
    printf('%043d', i), null from n`);
database.exec(
  "commit; pragma wal_checkpoint(truncate); create table bare (a integer primary key, b text)",
);
database.close();
