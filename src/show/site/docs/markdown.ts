// Converts a documentation page from Markdown to markup, headings, and text for the search.
import { lexer, type Token, type Tokens } from "marked";
import { html, join, NOTHING, type Html } from "../../html/html.ts";

interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** A search result: the text below one heading, or a row about something with a name, such as a setting. */
interface PagePiece {
  readonly id: string; // id of the heading
  readonly title: string;
  readonly text: string;
  readonly isRow?: true;
}

export interface MarkdownPage {
  readonly title: string; // first heading
  readonly about: string; // first paragraph
  readonly contents: Html;
  readonly headings: readonly Heading[];
  readonly pieces: readonly PagePiece[];
}

/** Functions that resolve links, which depend on the site. */
export interface MarkdownLinks {
  /** The address of a link; null if the site has no such page, so that the text stays without a link. */
  readonly addressOf: (to: string) => string | null;
  /** The address of the playground with the scenario in a code block; null if the block is no scenario. */
  readonly playgroundOf: (code: string) => string | null;
}

export function readMarkdown(markdown: string, links: MarkdownLinks): MarkdownPage {
  const tokens = lexer(markdown);
  const ids = new Map<string, number>();
  const headings: Heading[] = [];
  const texts: string[][] = [];
  const named: PagePiece[] = [];
  const commands = new Set<string>();
  const contents = tokens.map((token) => {
    if (token.type !== "heading") {
      const id = headings.at(-1)?.id;
      if (id !== undefined && isTableOfNames(token))
        named.push(...token.rows.map(([name, ...rest]) => pieceOf(id, name!, rest)));
      else texts.at(-1)?.push(textOf([token]));
      for (const [text, command = ""] of token.raw.matchAll(COMMAND_IN_CODE))
        if (id !== undefined && !commands.has(command)) {
          commands.add(command);
          named.push({ id, title: `weir ${command}`, text: plainCommand(text), isRow: true });
        }
      return blockHtml(token, links);
    }
    const { depth, tokens: inner } = token as Tokens.Heading;
    const text = textOf(inner).trim();
    const id = uniqueId(slugOf(text), ids);
    headings.push({ depth, id, text });
    texts.push([]);
    return headingHtml(depth, id, inlineHtml(inner, links));
  });
  const firstParagraph = tokens.find(({ type }) => type === "paragraph");
  return {
    title: headings[0]?.text ?? "",
    about: firstParagraph === undefined ? "" : inOneLine(textOf([firstParagraph])),
    contents: join(contents, "\n"),
    headings,
    pieces: [
      ...headings.map(({ id, text }, index) => ({
        id,
        title: text,
        text: inOneLine(texts[index]!.join(" ")),
      })),
      ...named,
    ],
  };
}

/** A line or a span of code with a command of Weir. */
const COMMAND_IN_CODE = /(?:^|(?<=`)|\$ .*)weir ([a-z]+)\b[^\n`]*/gm;

const plainCommand = (text: string): string => text.replace(/^\$ /, "");

/** True if the rows of a table begin with names in code: settings, fields, metrics, commands. */
const isTableOfNames = (token: Token): token is Tokens.Table =>
  token.type === "table" &&
  (token as Tokens.Table).rows.every(([name]) => name?.tokens[0]?.type === "codespan");

const pieceOf = (
  id: string,
  name: Tokens.TableCell,
  rest: readonly Tokens.TableCell[],
): PagePiece => ({
  id,
  title: inOneLine(textOf(name.tokens)),
  text: inOneLine(rest.map((cell) => textOf(cell.tokens)).join(" ")),
  isRow: true,
});

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** The anchor that GitHub generates, because links between pages also have to work on GitHub. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

function uniqueId(slug: string, ids: Map<string, number>): string {
  const count = ids.get(slug) ?? 0;
  ids.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

function headingHtml(depth: number, id: string, words: Html): Html {
  const link = html`<a class="anchor" href="#${id}">${words}</a>`;
  if (depth === 1) return html`<h1 id="${id}">${words}</h1>`;
  if (depth === 2) return html`<h2 id="${id}">${link}</h2>`;
  return depth === 3 ? html`<h3 id="${id}">${link}</h3>` : html`<h4 id="${id}">${link}</h4>`;
}

const blocksHtml = (tokens: readonly Token[], links: MarkdownLinks): Html =>
  join(
    tokens.map((token) => blockHtml(token, links)),
    "\n",
  );

function blockHtml(token: Token, links: MarkdownLinks): Html {
  switch (token.type) {
    case "paragraph":
      return html`<p>${inlineHtml(token.tokens ?? [], links)}</p>`;
    case "text": // of a list without blank lines
      return inlineHtml(token.tokens ?? [token], links);
    case "code":
      return codeHtml(token as Tokens.Code, links);
    case "list":
      return listHtml(token as Tokens.List, links);
    case "table":
      return tableHtml(token as Tokens.Table, links);
    case "blockquote":
      return html`<blockquote>${blocksHtml(token.tokens ?? [], links)}</blockquote>`;
    case "hr":
      return html`<hr>`;
    case "space":
    case "html": // marks for tests, as comments
    case "def":
      return NOTHING;
    default:
      throw new Error(`no page has "${token.type}" yet: ${token.raw.slice(0, 80)}`);
  }
}

function codeHtml({ text, lang = "" }: Tokens.Code, { playgroundOf }: MarkdownLinks): Html {
  const address = lang === "yaml" ? playgroundOf(text) : null;
  const run =
    address !== null && html`<p class="run"><a href="${address}">Run it in the playground</a></p>`;
  return html`<div class="code"><pre tabindex="0"><code>${text}</code></pre>${run}</div>`;
}

function listHtml({ ordered, start, items }: Tokens.List, links: MarkdownLinks): Html {
  const inside = items.map(({ tokens }) => html`<li>${blocksHtml(tokens, links)}</li>`);
  if (!ordered) return html`<ul>${inside}</ul>`;
  return html`<ol${start !== 1 && html` start="${start}"`}>${inside}</ol>`;
}

function tableHtml({ header, rows }: Tokens.Table, links: MarkdownLinks): Html {
  const inCell = (cell: Tokens.TableCell): Html => inlineHtml(cell.tokens, links);
  const heads = header.map((cell) => html`<th scope="col">${inCell(cell)}</th>`);
  const lines = rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${inCell(cell)}</td>`)}</tr>`,
  );
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${join(lines, "\n")}</tbody></table></div>`;
}

const inlineHtml = (tokens: readonly Token[], links: MarkdownLinks): Html =>
  html`${tokens.map((token) => inlineTokenHtml(token, links))}`;

function inlineTokenHtml(token: Token, links: MarkdownLinks): Html {
  const inner = (): Html => inlineHtml((token as Tokens.Generic).tokens ?? [], links);
  switch (token.type) {
    case "text":
      return (token as Tokens.Text).tokens === undefined
        ? html`${decodeEntities(token.text as string)}`
        : inner();
    case "escape":
      return html`${token.text as string}`;
    case "codespan":
      return html`<code>${token.text as string}</code>`;
    case "strong":
      return html`<strong>${inner()}</strong>`;
    case "em":
      return html`<em>${inner()}</em>`;
    case "br":
      return html`<br>`;
    case "link": {
      const address = links.addressOf((token as Tokens.Link).href);
      return address === null ? inner() : html`<a href="${address}">${inner()}</a>`;
    }
    case "image": {
      const { href, text } = token as Tokens.Image;
      return html`<img src="${links.addressOf(href)}" alt="${text}" loading="lazy">`;
    }
    case "html":
      return NOTHING;
    default:
      throw new Error(`no page has "${token.type}" yet: ${token.raw.slice(0, 80)}`);
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: "\u00A0",
};

const decodeEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name]!);

/** The plain text of tokens, for the search. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "html") return "";
      if (token.type === "list") return textOf((token as Tokens.List).items);
      if (token.type === "table") {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows]
          .map((row) => row.map((cell) => textOf(cell.tokens)).join(" "))
          .join(" ");
      }
      const { tokens: inner, text } = token as Tokens.Generic;
      if (inner !== undefined) return textOf(inner);
      return typeof text === "string" ? decodeEntities(text) : " ";
    })
    .join("");
}
