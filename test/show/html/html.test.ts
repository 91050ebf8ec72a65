import { expect, test } from "vitest";
import { html, join, NOTHING, trustMarkup } from "#src/show/html/html.ts";

test("an inserted string is escaped, between elements and in an attribute", () => {
  expect(String(html`<p title="${`"'`}">${"<b>&"}</p>`)).toBe(
    `<p title="&quot;&#39;">&lt;b&gt;&amp;</p>`,
  );
});

test("markup is inserted once and never escaped again", () => {
  const inner = html`<b>${"<"}</b>`;
  expect(String(html`<p>${inner}${[inner, "<"]}</p>`)).toBe("<p><b>&lt;</b><b>&lt;</b>&lt;</p>");
});

test("markup that became a string is escaped like any other string", () => {
  expect(String(html`${String(html`<b>x</b>`)}`)).toBe("&lt;b&gt;x&lt;/b&gt;");
});

test("numbers are inserted, and null, false and an empty list insert nothing", () => {
  expect(String(html`[${0}${null}${false}${[]}${NOTHING}]`)).toBe("[0]");
});

test("a list is joined by a separator that is escaped too", () => {
  expect(String(join(["<", html`<br>`, 3], " & "))).toBe("&lt; &amp; <br> &amp; 3");
  expect(String(join([], ", "))).toBe("");
});

test("only trustMarkup inserts a string unchanged", () => {
  expect(String(html`<svg>${trustMarkup("<g></g>")}</svg>`)).toBe("<svg><g></g></svg>");
});
