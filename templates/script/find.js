// Search, filter and sort: the script makes the controls, and shows, hides and orders the rows of the list.

const ROWS_AT_ONCE = 500;

function startFind(tools) {
  const status = makeStatus();
  const controls = makeControls();
  const list = openList();
  const show = () => withTurns(status, (turns) => showFound(turns, controls, list, status));
  const form = make("form", { class: "panel", id: "find", "aria-label": "Find turns" });
  form.append(...controls.map(({ field }) => field), makeButton("Show all turns", () => clear(controls, show)), status);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => defer(show));
  tools.append(form);
  tools.after(list.place);
  if (readState(controls)) {
    show();
    form.scrollIntoView();
  }
}

/** Each control has a name, its field, its input, and says of a turn whether it is wanted; the last one orders. */
function makeControls() {
  const { rubric, labels } = carried;
  const bands = rubric.bands.map((band) => band.id);
  const capNames = rubric.caps.map((cap) => cap.id);
  const names = rubric.dimensions.map((dimension) => dimension.name);
  return [
    makeSearch(),
    rubric.corners
      ? makeFilter("corner", "Corner", rubric.corners, (turn, value) => turn.corner === value)
      : makeFilter("band", "Band", [...bands, "no score"], (turn, value) => (turn.band ?? "no score") === value),
    makeFilter("cap", "Cap that holds", capNames, (turn, value) => turn.caps.includes(capNames.indexOf(value))),
    rubric.corners?.length
      ? null
      : makeFilter("weak", "First weak dimension", names, (turn, value) => turn.firstWeak === value),
    ...labels.map(({ name, values }, place) =>
      makeFilter(`label-${place}`, name, values, (turn, value) => turn.labels[place] === value),
    ),
    makeOrder(),
  ].filter(Boolean);
}

function makeSearch() {
  const input = make("input", { id: "find-text", type: "search", autocomplete: "off" });
  const field = make("div", { class: "field" }, make("label", { for: "find-text" }, "In id, question or label"), input);
  const matches = (turn) => {
    const text = [turn.id, turn.question ?? "", ...turn.labels].join("\n").toLowerCase();
    return input.value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  };
  return { name: "text", field, input, matches };
}

function makeFilter(name, label, values, isMatch) {
  if (values.length === 0) {
    return null;
  }
  const options = [["", "all"], ...values.map((value, place) => [String(place), value])];
  const [field, input] = makeChoice(`find-${name}`, label, options);
  const matches = (turn) => input.value === "" || isMatch(turn, values[Number(input.value)]);
  return { name, field, input, matches };
}

/** Each order has a name, and gives of a turn the value to go by: an exact number, a text, or null where it has none. */
function listOrders() {
  const { rubric, labels } = carried;
  const scoreOf = (turn) => scoreTurn(turn, rubric, ownWeights(rubric))?.score ?? null;
  const usedIn = (place) => (turn) => (turn.given.length ? useOrLeaveOut(turn, place, rubric) : null);
  const printedIn = (place) => (turn) => (turn.metrics ? readDecimal(turn.metrics[place]) : null);
  const byScore = [
    { name: "score, lowest first", valueOf: scoreOf },
    { name: "score, highest first", valueOf: scoreOf, isFalling: true },
  ];
  const countCaps = ({ caps }) => makeFraction(BigInt(caps.length));
  const valueIn = rubric.corners ? printedIn : usedIn;
  return [
    { name: "capture", valueOf: () => null },
    ...(rubric.corners ? [] : byScore),
    ...rubric.dimensions.map(({ name }, place) => ({ name: `${name}, lowest first`, valueOf: valueIn(place) })),
    ...(rubric.corners ? [] : [{ name: "caps that hold, most first", valueOf: countCaps, isFalling: true }]),
    ...labels.map(({ name }, place) => ({ name: `${name}, by name`, valueOf: (turn) => turn.labels[place] })),
  ];
}

function makeOrder() {
  const orders = listOrders();
  const options = orders.map(({ name }, place) => [place ? String(place) : "", name]);
  const [field, input] = makeChoice("find-order", "Order by", options);
  const order = (turns) => orderTurns(turns, orders[Number(input.value)]);
  return { name: "order", field, input, matches: () => true, order };
}

/** The list that the page has, or, where the turns stand on other pages, one that is made and filled when asked for. */
function openList() {
  const more = makeButton("Show more", () => {});
  more.hidden = true;
  const found = document.getElementById("turn-index");
  if (found) {
    return { table: found, more, place: more, limit: Infinity };
  }
  const table = makeTable();
  return { table, more, place: make("div", {}, table, more), limit: ROWS_AT_ONCE };
}

function makeTable() {
  const metrics = carried.rubric.dimensions.map(({ name }) => name);
  const last = carried.rubric.corners ? [...metrics, "Corner"] : ["Score", "Band"];
  const names = ["No.", "Turn", ...(carried.hasTexts ? ["Question"] : []), ...last];
  const heads = names.map((text) => make("th", { scope: "col" }, text));
  const table = make("table", { class: "index", id: "turn-index" }, make("caption", {}, "Turns found"));
  table.append(make("thead", {}, make("tr", {}, ...heads)), make("tbody"));
  table.hidden = true;
  return table;
}

function makeRow(turn) {
  const link = make("a", { href: turn.href }, turn.id);
  return make(
    "tr",
    {},
    make("td", { class: "num" }, String(turn.number)),
    make("th", { scope: "row" }, link),
    ...(turn.question === null ? [] : [make("td", { dir: "auto" }, turn.question)]),
    ...(carried.rubric.corners ? makeMetrics(turn) : makeScore(turn)),
  );
}

function makeScore(turn) {
  const printed = make("span", { "data-printed": "score" }, turn.printed ?? "–");
  return [make("td", { class: "num" }, printed), make("td", {}, makeBand(turn))];
}

function makeMetrics({ metrics, corner }) {
  const values = metrics ?? carried.rubric.dimensions.map(() => "–");
  return [...values.map((value) => make("td", { class: "num" }, value)), make("td", {}, corner ?? "–")];
}

function showFound(turns, controls, list, status) {
  const found = turns.filter((turn) => controls.every(({ matches }) => matches(turn)));
  controls.at(-1).order(found);
  list.table.hidden = false;
  list.table.tBodies[0].replaceChildren();
  showMore(found, list);
  status.textContent = `${found.length.toLocaleString("en-US")} of ${count(turns.length, "turn")} found.`;
  keepState(controls);
}

function showMore(found, list) {
  const body = list.table.tBodies[0];
  const next = found.slice(body.rows.length, body.rows.length + list.limit);
  body.append(...next.map((turn) => findRow(turn)));
  list.more.hidden = body.rows.length === found.length;
  list.more.onclick = () => showMore(found, list);
}

function findRow(turn) {
  if (!listed.has(turn.anchor)) {
    listed.set(turn.anchor, makeRow(turn));
  }
  return listed.get(turn.anchor);
}

/** Turns without the value stand last; equal ones stay in the order of the capture. */
function orderTurns(turns, { valueOf, isFalling }) {
  const values = new Map(turns.map((turn) => [turn, valueOf(turn)]));
  turns.sort((one, other) => {
    const [left, right] = [values.get(one), values.get(other)];
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null);
    }
    return (isFalling ? -1 : 1) * compareValues(left, right);
  });
}

function compareValues(left, right) {
  return typeof left === "string" ? Number(left > right) - Number(left < right) : compare(left, right);
}

function clear(controls, show) {
  controls.forEach(({ input }) => {
    input.value = "";
  });
  show();
}

/** What was chosen stands in the address, so that a filtered list can be passed on. */
function keepState(controls) {
  const chosen = controls.filter(({ input }) => input.value !== "").map(({ name, input }) => [name, input.value]);
  history.replaceState(null, "", chosen.length ? `#find?${new URLSearchParams(chosen)}` : "#find");
}

function readState(controls) {
  if (!location.hash.startsWith("#find?")) {
    return false;
  }
  const chosen = new URLSearchParams(location.hash.slice("#find?".length));
  controls.forEach(({ name, input }) => {
    input.value = chosen.get(name) ?? "";
  });
  return true;
}
