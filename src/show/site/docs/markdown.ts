// Converts a documentation page from Markdown to markup, headings, and text for the search.
import { lexer, type Token, type Tokens } from "marked";
import { html, join, NOTHING, type Html } from "../../html/html.ts";

interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** A search result: the text below one heading. */
interface PagePiece {
  readonly id: string; // id of the heading
  readonly title: string;
  readonly text: string;
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
  const contents = tokens.map((token) => {
    if (token.type !== "heading") {
      texts.at(-1)?.push(textOf([token]));
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
    about:
      firstParagraph === undefined ? "" : textOf([firstParagraph]).replaceAll(/\s+/g, " ").trim(),
    contents: join(contents, "\n"),
    headings,
    pieces: headings.map(({ id, text }, index) => ({
      id,
      title: text,
      text: texts[index]!.join(" ").replaceAll(/\s+/g, " ").trim(),
    })),
  };
}

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
