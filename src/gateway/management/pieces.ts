// Lists of any length, read and written in pieces, so that neither memory nor one turn of the event loop contains a
// whole list. A record that changes meanwhile may be included or not.
import { isObject, writeJson } from "./json.ts";
import type { RecordTypeName } from "./records/record-types.ts";
import type { Listed, ListedIds, Page, ManagedRecords, Stored } from "./records/records.ts";

/** A list of a response body that is read in pieces. */
export class Pieces<Shown> {
  readonly pieces: AsyncIterable<readonly Shown[]>;

  constructor(pieces: AsyncIterable<readonly Shown[]>) {
    this.pieces = pieces;
  }
}

export interface ListShown<Shown> {
  readonly total: number;
  readonly shown: readonly Shown[] | Pieces<Shown>;
}

/** The number of records that are read at once: so few that reading and showing them is a short turn. */
const MOST_RECORDS = 50;
const MOST_IDS = 1_000;
/** The number of records of a page that are shown in one turn; the turn is short even if all have the largest size. */
const MOST_AT_ONCE = 10;

/** The shown records of a page; `page` null: all records of the type. */
export async function listShown<Shown>(
  records: Pick<ManagedRecords, "list" | "next">,
  family: RecordTypeName,
  page: Page | null,
  show: (stored: Stored) => Shown,
): Promise<ListShown<Shown>> {
  const first = await records.list(family, page ?? { size: MOST_RECORDS, page: 1 });
  return buildListShown(first, page, show, (last) =>
    records.next(family, last, MOST_RECORDS, null),
  );
}

export async function searchShown<Shown>(
  records: ManagedRecords,
  text: string,
  page: Page | null,
  show: (stored: Stored) => Shown,
): Promise<ListShown<Shown>> {
  const first = await records.searchUsers(text, page ?? { size: MOST_RECORDS, page: 1 });
  return buildListShown(first, page, show, (last) =>
    records.next("users", last, MOST_RECORDS, text),
  );
}

const buildListShown = <Shown>(
  { total, records }: Listed,
  page: Page | null,
  show: (stored: Stored) => Shown,
  next: (last: Stored) => Promise<readonly Stored[]>,
): ListShown<Shown> => ({
  total,
  shown:
    page === null && records.length >= MOST_RECORDS
      ? new Pieces(wholeFrom(records, show, next))
      : records.length > MOST_AT_ONCE
        ? new Pieces(someOf(records.filter(isWhole), show))
        : records.filter(isWhole).map(show),
});

/** The pieces of a long page. */
async function* someOf<Shown>(
  records: readonly Stored[],
  show: (stored: Stored) => Shown,
): AsyncGenerator<readonly Shown[]> {
  for (let from = 0; from < records.length; from += MOST_AT_ONCE)
    yield records.slice(from, from + MOST_AT_ONCE).map(show);
}

const isWhole = ({ isDamaged }: Stored): boolean => isDamaged !== true;

/** The pieces of a complete list. Continues after the last record of a piece, even if it is damaged. */
async function* wholeFrom<Shown>(
  first: readonly Stored[],
  show: (stored: Stored) => Shown,
  next: (last: Stored) => Promise<readonly Stored[]>,
): AsyncGenerator<readonly Shown[]> {
  for await (const piece of piecesFrom(first, (stored) => stored, next)) {
    const shown = piece.filter(isWhole).map(show);
    if (shown.length > 0) yield shown;
  }
}

export async function listShownIds(
  records: ManagedRecords,
  family: Parameters<ManagedRecords["ids"]>[0],
  page: Page | null,
): Promise<ListShown<string>> {
  const { total, ids }: ListedIds = await records.ids(family, page ?? { size: MOST_IDS, page: 1 });
  if (page !== null || ids.length < MOST_IDS) return { total, shown: ids };
  const next = (last: string): Promise<readonly string[]> =>
    records.nextIds(family, last, MOST_IDS);
  return { total, shown: new Pieces(piecesFrom(ids, (id) => id, next)) };
}

async function* piecesFrom<Read, Shown>(
  first: readonly Read[],
  show: (read: Read) => Shown,
  next: (last: Read) => Promise<readonly Read[]>,
): AsyncGenerator<readonly Shown[]> {
  for (let piece = first; piece.length > 0; piece = await next(piece.at(-1)!))
    yield piece.map(show);
}

/** Whether a body has to be written by `inPieces`. */
export const hasPieces = (body: unknown): boolean =>
  body instanceof Pieces || (isObject(body) && Object.values(body).some(hasPieces));

/** The number of characters after which a text is yielded. */
const LONGEST_TEXT = 65_536;

/** Writes a body in pieces. Together they are what `writeJson` would write for complete lists. */
export async function* inPieces(body: unknown): AsyncGenerator<string> {
  if (body instanceof Pieces) {
    yield "[";
    let between = "";
    let text = "";
    for await (const piece of body.pieces as AsyncIterable<readonly unknown[]>) {
      for (const each of piece) {
        text += between + writeJson(each);
        between = ",";
        if (text.length < LONGEST_TEXT) continue;
        yield text;
        text = "";
      }
      if (text !== "") yield text;
      text = "";
    }
    yield "]";
  } else if (isObject(body) && hasPieces(body)) {
    let between = "{";
    for (const [name, value] of Object.entries(body)) {
      yield `${between}${writeJson(name)}:`;
      yield* inPieces(value);
      between = ",";
    }
    yield "}";
  } else yield writeJson(body);
}
