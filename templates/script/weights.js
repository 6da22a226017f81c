// What if the dimensions weighed otherwise: the same arithmetic, never the report's figures.

const CHANGED_SHOWN = 100;

function startWeights(tools) {
  const { rubric } = carried;
  const status = makeStatus();
  const outcome = make("div");
  const inputs = rubric.dimensions.map(makeWeight);
  const show = () => withTurns(status, (turns) => showWeighed(turns, inputs.map(readWeight), status, outcome));
  const panel = make("form", { class: "panel what-if", "aria-label": "Other weights" });
  panel.append(
    make("p", {}, "These are not the report’s figures. Whole numbers from 0 to 100; each counts as its share of their sum."),
    ...inputs.map((input) => input.field),
    makeButton("Back to the rubric’s weights", () => {
      forget(show);
      resetWeights(inputs, status, outcome);
    }),
    status,
    outcome,
  );
  panel.addEventListener("submit", (event) => event.preventDefault());
  panel.addEventListener("input", () => defer(show));
  tools.append(make("details", { id: "weights" }, make("summary", {}, "What if the weights were others?"), panel));
}

function makeWeight({ name, weight }, place) {
  const id = `weight-${place}`;
  const input = make("input", { id, type: "number", min: "0", max: "100", step: "1", value: String(weight) });
  return { field: make("div", { class: "field" }, make("label", { for: id }, name), input), input, weight };
}

/** The weight as chosen; null where it is not a whole number from 0 to 100. */
function readWeight({ input }) {
  return /^\d{1,3}$/.test(input.value) && Number(input.value) <= 100 ? BigInt(input.value) : null;
}

function resetWeights(inputs, status, outcome) {
  inputs.forEach(({ input, weight }) => {
    input.value = String(weight);
  });
  status.textContent = "The weights are the rubric’s again.";
  outcome.replaceChildren();
}

function showWeighed(turns, weights, status, outcome) {
  outcome.replaceChildren();
  if (weights.includes(null) || weights.every((weight) => weight === 0n)) {
    status.textContent = "Each weight must be a whole number from 0 to 100, and one of them above 0.";
    return;
  }
  const { rubric } = carried;
  const pairs = turns.map((turn) => ({
    turn,
    before: scoreTurn(turn, rubric, ownWeights(rubric)),
    after: scoreTurn(turn, rubric, weights),
  }));
  const changed = pairs.filter(({ before, after }) => before && after?.band !== before.band);
  const [before, after] = ["before", "after"].map((when) => describeScores(pairs.map((pair) => pair[when]), rubric));
  status.textContent = `With these weights the mean would be ${after.mean} instead of ${before.mean}, and ${count(changed.length, "turn")} would change band.`;
  outcome.append(makeComparison(before, after, rubric), ...makeChanged(changed, rubric));
}

function describeScores(results, rubric) {
  const scored = results.filter(Boolean);
  const mean = takeMean(scored.map(({ score }) => score));
  const bands = rubric.bands.map(({ id }) => scored.filter(({ band }) => band === id).length);
  return { mean: mean ? printScore(mean, rubric) : "–", bands, scored: scored.length };
}

function makeComparison(before, after, rubric) {
  const lines = [["Mean", before.mean, after.mean], ["Turns with a score", before.scored, after.scored]];
  lines.push(...rubric.bands.map(({ id }, place) => [`Turns ${id}`, before.bands[place], after.bands[place]]));
  const heads = ["", "By the rubric", "What if"].map((text) => (text ? make("th", { scope: "col" }, text) : make("td")));
  const rows = lines.map(([name, ...values]) =>
    make("tr", {}, make("th", { scope: "row" }, name), ...values.map((value) => make("td", { class: "num" }, String(value)))),
  );
  const table = make("table", { class: "compact" }, make("caption", {}, "What if: not the report’s figures"));
  table.append(make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  return table;
}

function makeChanged(changed, rubric) {
  if (!changed.length) {
    return [];
  }
  const items = changed.slice(0, CHANGED_SHOWN).map(({ turn, before, after }) => {
    const says = after ? `${printScore(after.score, rubric)}, ${after.band}` : "no score";
    const link = make("a", { href: turn.href }, turn.id);
    return make("li", {}, link, `: ${printScore(before.score, rubric)}, ${before.band} → ${says}`);
  });
  const rest = changed.length - items.length;
  return [make("ul", { class: "changed" }, ...items), ...(rest ? [make("p", {}, `And ${rest} more.`)] : [])];
}
