// In the head of every page, before the first paint: shows a chapter as slides if its address has the parameter `slides`.
export {};

if (/\/learn\/./.test(location.pathname) && new URLSearchParams(location.search).has("slides"))
  document.documentElement.classList.add("slides");
