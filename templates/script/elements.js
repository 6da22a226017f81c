// Elements are made one by one and text is put in as text, so that nothing captured is ever read as markup.

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const SIGNS = { good: "●", partial: "◐", poor: "○" };

function makeBand(turn) {
  if (!turn.band) {
    return make("span", { class: "band band-none" }, turn.unscored || "no score");
  }
  const sign = make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[turn.band]);
  return make("span", { class: `band band-${turn.band}` }, sign, ` ${turn.band}`);
}

/** A choice with its label; the first option stands for all. */
function makeChoice(id, label, options) {
  const choice = make("select", { id }, ...options.map(([value, text]) => make("option", { value }, text)));
  return [make("div", { class: "field" }, make("label", { for: id }, label), choice), choice];
}

function makeButton(text, onPress) {
  const button = make("button", { type: "button" }, text);
  button.addEventListener("click", onPress);
  return button;
}

/** A place whose changes a screen reader announces. */
function makeStatus() {
  return make("p", { class: "announced", role: "status" });
}

function count(number, noun) {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Does something when there was quiet for a moment; of several things that wait, each once. */
const waiting = new Map();

function defer(act) {
  clearTimeout(waiting.get(act));
  waiting.set(act, setTimeout(act, 150));
}

/** What waits to be done is not done: something has made it old. */
function forget(act) {
  clearTimeout(waiting.get(act));
}
