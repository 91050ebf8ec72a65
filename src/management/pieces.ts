// Lists as long as there are records: read, shown and written a piece at a time, so that neither memory nor a turn of
// whoever answers holds them whole. What is made, moved or deleted meanwhile may be there or not.
import { isObject, writeJson } from "./json.ts";
import type { Family } from "./records/family.ts";
import type { Listed, ListedIds, Page, Records, Stored } from "./records/records.ts";

/** What stands in a body for a list. */
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

/** So few that a turn which reads and shows them is a short one. */
const MOST_RECORDS = 50;
const MOST_IDS = 1_000;
/** So few that they are shown and written in one turn, however large each is. */
const MOST_AT_ONCE = 10;

/** A page, or all (null): of the family, or of the users that a text is found in. */
export async function shownOf<Shown>(
  records: Pick<Records, "list" | "next">,
  family: Family,
  page: Page | null,
  show: (stored: Stored) => Shown,
): Promise<ListShown<Shown>> {
  const first = await records.list(family, page ?? { size: MOST_RECORDS, page: 1 });
  return shownFrom(first, page, show, (last) => records.next(family, last, MOST_RECORDS, null));
}

export async function shownFound<Shown>(
  records: Records,
  text: string,
  page: Page | null,
  show: (stored: Stored) => Shown,
): Promise<ListShown<Shown>> {
  const first = await records.searchUsers(text, page ?? { size: MOST_RECORDS, page: 1 });
  return shownFrom(first, page, show, (last) => records.next("users", last, MOST_RECORDS, text));
}

const shownFrom = <Shown>(
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

/** Of a long page. */
async function* someOf<Shown>(
  records: readonly Stored[],
  show: (stored: Stored) => Shown,
): AsyncGenerator<readonly Shown[]> {
  for (let from = 0; from < records.length; from += MOST_AT_ONCE)
    yield records.slice(from, from + MOST_AT_ONCE).map(show);
}

const isWhole = ({ isDamaged }: Stored): boolean => isDamaged !== true;

/** The last of a piece says where the next one begins, whole or not. */
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

export async function shownIds(
  records: Records,
  family: Parameters<Records["ids"]>[0],
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

/** Whether a body is to be written by `inPieces`. */
export const hasPieces = (body: unknown): boolean =>
  body instanceof Pieces || (isObject(body) && Object.values(body).some(hasPieces));

/** What is written in one turn. */
const LONGEST_TEXT = 65_536;

/** What `writeJson` would say if the lists were there whole. */
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
