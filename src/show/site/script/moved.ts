// Redirects an old address to the page that now has its heading.
const links = [...document.querySelectorAll<HTMLAnchorElement>("main a")];
const to = links.find(({ hash }) => hash === location.hash) ?? links[0]!;
location.replace(to.href);
