// Creates, updates and deletes records of every type. Each change is validated first, is atomic, and is applied by this
// gateway before the response.
import { errorAt, type Problem } from "../../kit/reading/problems.ts";
import { requireVersion } from "./if-match.ts";
import { errorsIn, isDangling, warningsIn } from "./validate-record.ts";
import { type JsonObject, mergeBody } from "./json.ts";
import type { PreparedRecord, RecordType } from "./record-type.ts";
import type { Management } from "./management.ts";
import { Rejection } from "./rejection.ts";
import { tooLarge } from "./records/bounds.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { Stored, RecordTransaction } from "./records/records.ts";
import { resealFields, sealFields, secretsIn } from "./sealed.ts";
import { useRecordedKey } from "./secrets/installation.ts";

interface ChangeResult {
  readonly stored: Stored;
  readonly warnings: readonly string[];
}

export interface RecordCreation {
  readonly body: object; // the body as decoded JSON
  readonly actor: string;
  readonly operation: string; // the operation's name for the audit log
  readonly id?: string; // the id in the path
  readonly unique?: string; // the value that must be unique, if it is not in the document
}

interface RecordUpdate {
  readonly body: object;
  readonly id: string;
  readonly ifMatch: string | null;
  readonly actor: string;
  readonly operation: string;
}

export const createRecord = (
  management: Management,
  kind: RecordType,
  making: RecordCreation,
): Promise<ChangeResult> =>
  retryAfterApplying(management, () => createOnce(management, kind, making));

async function createOnce(
  management: Management,
  kind: RecordType,
  { body, actor, operation, id: named, unique }: RecordCreation,
): Promise<ChangeResult> {
  const { records, secrets, nowUs } = management;
  const done = await records.write({ actor, operation, atUs: nowUs() }, async (writing) => {
    await useRecordedKey(writing, secrets);
    await records.turn();
    const { id, document, foundBy, problems } = documentToCreate(
      management,
      kind,
      body as JsonObject,
      named,
    );
    rejectInvalid(problems);
    const by = { ...foundBy, unique: unique ?? foundBy.unique };
    const stored = await writing.insert(kind.name, id, document, by);
    if (stored === null) throw new Rejection(409, await conflictMessageOf(writing, kind, id));
    return { stored, warnings: warningsIn(problems) };
  });
  await management.applyChanges();
  return done;
}

export const updateRecord = (
  management: Management,
  kind: RecordType,
  changing: RecordUpdate,
): Promise<ChangeResult> =>
  retryAfterApplying(management, () => updateOnce(management, kind, changing));

async function updateOnce(
  management: Management,
  kind: RecordType,
  { body, id, ifMatch, actor, operation }: RecordUpdate,
): Promise<ChangeResult> {
  const { records, secrets, nowUs } = management;
  const done = await records.write({ actor, operation, atUs: nowUs() }, async (writing) => {
    await useRecordedKey(writing, secrets);
    const before = requireIntact(kind, await writing.read(kind.name, id));
    requireVersion(ifMatch, before);
    await records.turn();
    const { document, foundBy, problems } = documentToUpdate(
      management,
      kind,
      before,
      body as JsonObject,
    );
    rejectInvalid(problems);
    const stored = await writing.replace(kind.name, before, document, foundBy);
    if (stored === null) throw new Rejection(409, kind.conflictMessage);
    return { stored, warnings: warningsIn(problems) };
  });
  await management.applyChanges();
  return done;
}

/** If an API is unknown, applies changes and tries again: another gateway may have just created the API. */
async function retryAfterApplying<T>(management: Management, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Rejection) || !error.problems.some(isDangling)) throw error;
    await management.applyChanges();
    return work();
  }
}

export async function deleteRecord(
  management: Management,
  kind: RecordType,
  { id, ifMatch, actor, operation }: Omit<RecordUpdate, "body">,
): Promise<void> {
  const { records, nowUs } = management;
  await records.write({ actor, operation, atUs: nowUs() }, async (writing) => {
    const before = requireStored(kind, await writing.read(kind.name, id));
    requireVersion(ifMatch, before);
    await writing.remove(kind.name, before);
  });
  await management.applyChanges();
}

export const requireRecord = async (
  { records }: Management,
  kind: RecordType,
  id: string,
): Promise<Stored> => requireIntact(kind, await records.read(kind.name, id));

function requireStored(kind: RecordType, stored: Stored | null): Stored {
  if (stored === null) throw new Rejection(404, kind.unknownMessage);
  return stored;
}

/** Rejects a change of a damaged record, which can only be deleted. */
function requireIntact(kind: RecordType, stored: Stored | null): Stored {
  const intact = requireStored(kind, stored);
  if (intact.isDamaged === true)
    throw new Rejection(500, "This record is damaged: it can only be deleted");
  return intact;
}

/** Problems of a body beyond its schema, for an operation's `furtherProblems`. */
export const furtherProblemsIn =
  (kind: RecordType, idParam: string | null) =>
  async (
    management: Management,
    {
      params,
      body,
    }: { readonly params: Readonly<Record<string, string>>; readonly body: JsonObject },
  ): Promise<readonly Problem[]> => {
    await management.records.turn();
    if (idParam === null)
      return errorsIn(documentToCreate(management, kind, body, undefined).problems);
    const before = await management.records.read(kind.name, params[idParam]!);
    await management.records.turn();
    return before === null || before.isDamaged === true
      ? []
      : errorsIn(documentToUpdate(management, kind, before, body).problems);
  };

function documentToCreate(
  management: Management,
  kind: RecordType,
  body: JsonObject,
  named: string | undefined,
): PreparedRecord & { readonly id: string } {
  rejectTooLargeBody(management, kind.name, body, null);
  const own = kind.idIn(body);
  const id = named ?? (typeof own === "string" && own !== "" ? own : management.newId());
  const within = sealFields(management.secrets, kind.name, id, body);
  const document = kind.merge === undefined ? mergeBody({}, within) : kind.merge(null, within);
  const prepared = kind.prepare(management, id, document, null);
  return {
    ...prepared,
    id,
    problems: [...identityProblems(kind, id, document), ...prepared.problems],
  };
}

function documentToUpdate(
  management: Management,
  kind: RecordType,
  before: Stored,
  body: JsonObject,
): PreparedRecord {
  rejectTooLargeBody(
    management,
    kind.name,
    (kind.merge ?? mergeBody)(before.document, body),
    before,
  );
  const within = sealFields(management.secrets, kind.name, before.id, body);
  const old = resealFields(management.secrets, kind.name, before.id, before.document);
  const document = (kind.merge ?? mergeBody)(old, within);
  const prepared = kind.prepare(management, before.id, document, before);
  return {
    ...prepared,
    problems: [...identityChanges(kind, before.id, document), ...prepared.problems],
  };
}

/** Called before sealing and validation, because these take longer. */
function rejectTooLargeBody(
  { records }: Management,
  family: RecordTypeName,
  document: JsonObject,
  before: Stored | null,
): void {
  const old = before && before.document;
  const wrong = tooLarge(document, records.bounds(), old) ?? manySecrets(family, document, old);
  if (wrong !== null)
    throw new Rejection(400, "The body does not fit", [errorAt("MGT-SIZE", [], wrong)]);
}

/** The largest number of secrets of one record, because each is sealed separately. */
const MOST_SECRETS = 100;

/** Returns the problem of too many secrets, or null. A record that already has more may keep as many as it has. */
function manySecrets(
  family: RecordTypeName,
  document: JsonObject,
  before: JsonObject | null,
): string | null {
  const count = secretsIn(family, document);
  const most = Math.max(MOST_SECRETS, before === null ? 0 : secretsIn(family, before));
  return count > most
    ? `the record would have ${count} sealed strings, and at most ${MOST_SECRETS} are allowed`
    : null;
}

function rejectInvalid(problems: readonly Problem[]): void {
  const faults = errorsIn(problems);
  if (faults.length > 0) throw new Rejection(400, "The body does not fit", faults);
}

const LONGEST_ID = 128;

/** Ids are in URLs and database columns, which cannot contain every string. */
function identityProblems(kind: RecordType, id: string, document: JsonObject): readonly Problem[] {
  const isSound = id.length <= LONGEST_ID && id.isWellFormed() && !/[\p{Cc}/]|^\.{1,2}$/u.test(id);
  const unfit = `is an id of at most ${LONGEST_ID} letters, without "/" and control characters`;
  const wrong = isSound ? [] : [errorAt("MGT-ID", kind.idAt, unfit)];
  return [...wrong, ...identityChanges(kind, id, document)];
}

function identityChanges(kind: RecordType, id: string, document: JsonObject): readonly Problem[] {
  const named = kind.idIn(document);
  if (named === undefined || named === null || named === "" || named === id) return [];
  return [
    errorAt("MGT-ID", kind.idAt, `is not the id that this record has: ${JSON.stringify(id)}`),
  ];
}

async function conflictMessageOf(
  writing: RecordTransaction,
  kind: RecordType,
  id: string,
): Promise<string> {
  const other = await writing.read(kind.name, id);
  return other === null ? kind.conflictMessage : `The id ${JSON.stringify(id)} is taken`;
}
