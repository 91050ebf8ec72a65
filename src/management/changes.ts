// How a record of any family is made, changed and deleted: judged first, whole or not at all, and obeyed by this
// gateway before anybody is told.
import { fault, type Problem } from "../reading/problems.ts";
import { mustMatch } from "./if-match.ts";
import { faultsIn, isDangling, warningsIn } from "./judged.ts";
import type { JsonObject } from "./json.ts";
import type { Kept, Kind } from "./kind.ts";
import type { Management } from "./management.ts";
import { merged } from "./merged.ts";
import { Refusal } from "./refusal.ts";
import { tooLarge } from "./records/bounds.ts";
import type { Family } from "./records/family.ts";
import type { Stored, Writing } from "./records/records.ts";
import { resealed, sealed, secretsIn } from "./sealed.ts";
import { heedKey } from "./secrets/installation.ts";

export interface Changed {
  readonly stored: Stored;
  readonly warnings: readonly string[];
}

export interface Making {
  readonly body: object; // that JSON has been
  readonly who: string;
  readonly what: string; // the operation
  readonly id?: string; // where the path says it
  readonly unique?: string; // what it is found by, where its document does not say so
}

interface Changing {
  readonly body: object;
  readonly id: string;
  readonly ifMatch: string | null;
  readonly who: string;
  readonly what: string;
}

export const made = (management: Management, kind: Kind, making: Making): Promise<Changed> =>
  withWhatOthersWrote(management, () => makeNow(management, kind, making));

async function makeNow(
  management: Management,
  kind: Kind,
  { body, who, what, id: named, unique }: Making,
): Promise<Changed> {
  const { records, secrets, nowUs } = management;
  const done = await records.write({ who, what, atUs: nowUs() }, async (writing) => {
    await heedKey(writing, secrets);
    await records.turn();
    const { id, document, foundBy, problems } = asNew(management, kind, body as JsonObject, named);
    refuseFaulty(problems);
    const by = { ...foundBy, unique: unique ?? foundBy.unique };
    const stored = await writing.insert(kind.family, id, document, by);
    if (stored === null) throw new Refusal(409, await whatIsTaken(writing, kind, id));
    return { stored, warnings: warningsIn(problems) };
  });
  await management.changed();
  return done;
}

export const changed = (management: Management, kind: Kind, changing: Changing): Promise<Changed> =>
  withWhatOthersWrote(management, () => changeNow(management, kind, changing));

async function changeNow(
  management: Management,
  kind: Kind,
  { body, id, ifMatch, who, what }: Changing,
): Promise<Changed> {
  const { records, secrets, nowUs } = management;
  const done = await records.write({ who, what, atUs: nowUs() }, async (writing) => {
    await heedKey(writing, secrets);
    const before = known(kind, await writing.read(kind.family, id));
    mustMatch(ifMatch, before);
    await records.turn();
    const { document, foundBy, problems } = asChanged(management, kind, before, body as JsonObject);
    refuseFaulty(problems);
    const stored = await writing.replace(kind.family, before, document, foundBy);
    if (stored === null) throw new Refusal(409, kind.taken);
    return { stored, warnings: warningsIn(problems) };
  });
  await management.changed();
  return done;
}

/** An API that is not known here may have been created on another gateway a moment ago. */
async function withWhatOthersWrote<T>(management: Management, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.problems.some(isDangling)) throw error;
    await management.changed();
    return work();
  }
}

export async function deleted(
  management: Management,
  kind: Kind,
  { id, ifMatch, who, what }: Omit<Changing, "body">,
): Promise<void> {
  const { records, nowUs } = management;
  await records.write({ who, what, atUs: nowUs() }, async (writing) => {
    const before = there(kind, await writing.read(kind.family, id));
    mustMatch(ifMatch, before);
    await writing.remove(kind.family, before);
  });
  await management.changed();
}

export const found = async ({ records }: Management, kind: Kind, id: string): Promise<Stored> =>
  known(kind, await records.read(kind.family, id));

function there(kind: Kind, stored: Stored | null): Stored {
  if (stored === null) throw new Refusal(404, kind.unknown);
  return stored;
}

/** To be read or changed; one that is damaged can only be deleted. */
function known(kind: Kind, stored: Stored | null): Stored {
  const known = there(kind, stored);
  if (known.isDamaged === true)
    throw new Refusal(500, "This record is damaged: it can only be deleted");
  return known;
}

/** What is wrong with a body beside what its schema says, for `alsoWrong` of an operation. */
export const alsoWrongIn =
  (kind: Kind, idParam: string | null) =>
  async (
    management: Management,
    {
      params,
      body,
    }: { readonly params: Readonly<Record<string, string>>; readonly body: JsonObject },
  ): Promise<readonly Problem[]> => {
    await management.records.turn();
    if (idParam === null) return faultsIn(asNew(management, kind, body, undefined).problems);
    const before = await management.records.read(kind.family, params[idParam]!);
    await management.records.turn();
    return before === null || before.isDamaged === true
      ? []
      : faultsIn(asChanged(management, kind, before, body).problems);
  };

function asNew(
  management: Management,
  kind: Kind,
  body: JsonObject,
  named: string | undefined,
): Kept & { readonly id: string } {
  refuseTooLargeBody(management, kind.family, body, null);
  const said = kind.idIn(body);
  const id = named ?? (typeof said === "string" && said !== "" ? said : management.newId());
  const within = sealed(management.secrets, kind.family, id, body);
  const document = kind.merged === undefined ? merged({}, within) : kind.merged(null, within);
  const kept = kind.kept(management, id, document, null);
  return { ...kept, id, problems: [...identityFaults(kind, id, document), ...kept.problems] };
}

function asChanged(management: Management, kind: Kind, before: Stored, body: JsonObject): Kept {
  refuseTooLargeBody(
    management,
    kind.family,
    (kind.merged ?? merged)(before.document, body),
    before,
  );
  const within = sealed(management.secrets, kind.family, before.id, body);
  const old = resealed(management.secrets, kind.family, before.id, before.document);
  const document = (kind.merged ?? merged)(old, within);
  const kept = kind.kept(management, before.id, document, before);
  return { ...kept, problems: [...changedIdentity(kind, before.id, document), ...kept.problems] };
}

/** Before anything is sealed or judged, which takes longer than to read it. */
function refuseTooLargeBody(
  { records }: Management,
  family: Family,
  document: JsonObject,
  before: Stored | null,
): void {
  const old = before && before.document;
  const wrong = tooLarge(document, records.bounds(), old) ?? manySecrets(family, document, old);
  if (wrong !== null)
    throw new Refusal(400, "The body does not fit", [fault("MGT-SIZE", [], wrong)]);
}

/** Each is sealed by itself. */
const MOST_SECRETS = 100;

/** One that had more before may keep them. */
function manySecrets(
  family: Family,
  document: JsonObject,
  before: JsonObject | null,
): string | null {
  const count = secretsIn(family, document);
  const most = Math.max(MOST_SECRETS, before === null ? 0 : secretsIn(family, before));
  return count > most
    ? `the record would have ${count} texts that are kept sealed, and at most ${MOST_SECRETS} are`
    : null;
}

function refuseFaulty(problems: readonly Problem[]): void {
  const faults = faultsIn(problems);
  if (faults.length > 0) throw new Refusal(400, "The body does not fit", faults);
}

const LONGEST_ID = 128;

/** An id stands in addresses, and in columns that take no text that is none. */
function identityFaults(kind: Kind, id: string, document: JsonObject): readonly Problem[] {
  const isSound = id.length <= LONGEST_ID && id.isWellFormed() && !/[\p{Cc}/]|^\.{1,2}$/u.test(id);
  const unfit = `is an id of at most ${LONGEST_ID} letters, without "/" and control characters`;
  const wrong = isSound ? [] : [fault("MGT-ID", kind.idAt, unfit)];
  return [...wrong, ...changedIdentity(kind, id, document)];
}

function changedIdentity(kind: Kind, id: string, document: JsonObject): readonly Problem[] {
  const said = kind.idIn(document);
  if (said === undefined || said === null || said === "" || said === id) return [];
  return [fault("MGT-ID", kind.idAt, `is not the id that this record has: ${JSON.stringify(id)}`)];
}

async function whatIsTaken(writing: Writing, kind: Kind, id: string): Promise<string> {
  const other = await writing.read(kind.family, id);
  return other === null ? kind.taken : `The id ${JSON.stringify(id)} is taken`;
}
