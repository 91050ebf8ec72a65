// A page that has moved: goes on to where the heading of its address is now.
const links = [...document.querySelectorAll<HTMLAnchorElement>("main a")];
const to = links.find(({ hash }) => hash === location.hash) ?? links[0]!;
location.replace(to.href);
