// What scrolls sideways can be reached by keyboard, also in browsers that do not see to that themselves.

const MAY_SCROLL = "main :not(article *):is(table, figure, .prose), article .answer:has(table)";

function startReach() {
  const reach = () => document.querySelectorAll(MAY_SCROLL).forEach(letReach);
  addEventListener("resize", () => defer(reach));
  reach();
}

function letReach(element) {
  const doesScroll = element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX === "auto";
  // Chromium takes what is wider by a part of a pixel for something to scroll.
  element.setAttribute("tabindex", doesScroll ? "0" : "-1");
}
