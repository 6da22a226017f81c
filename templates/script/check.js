// Verification in the browser: each score is computed again from what the judge gave, and held against the page.

const TRUST = "This holds the page against the data that it carries. That the data is the run’s own, " +
  "the report’s command under “How to retrace it” shows, which checks the digests and the seal.";

function startCheck(tools) {
  const status = makeStatus();
  const failures = make("ul", { class: "differing" });
  const press = () => withTurns(status, (turns) => {
    const results = turns.map((turn) => checkTurn(turn, carried.rubric));
    results.forEach(markTurn);
    const means = checkMean(turns, carried.rubric);
    status.textContent = [sayResults(results), ...means.map(({ says }) => says)].join(" ");
    failures.replaceChildren(...results.filter((result) => !result.agrees).map(listFailure));
  });
  const panel = make("div", { class: "panel", id: "check", role: "group", "aria-label": "Recompute the scores" });
  const purpose = "Compute each score again from the judge’s verdict and the rubric’s weights and caps.";
  panel.append(make("p", {}, `${purpose} ${TRUST}`), makeButton("Recompute the scores", press), status, failures);
  tools.append(panel);
}

/** What follows for the turn, and each place where the page or its data states something else. */
function checkTurn(turn, rubric) {
  const result = scoreTurn(turn, rubric, ownWeights(rubric));
  const follows = result && { printed: printScore(result.score, rubric), band: result.band };
  const stated = [...readData(turn), ...readPage(turn)];
  const differing = stated.filter(({ kind, text }) => text !== (follows?.[kind] ?? null));
  const inside = checkBreakdown(turn, rubric, result);
  return { turn, follows, differing: [...differing, ...inside], agrees: differing.length + inside.length === 0 };
}

function readData(turn) {
  return [{ kind: "printed", text: turn.printed }, { kind: "band", text: turn.band }];
}

/** The scores and bands that are printed of the turn on this page: in its breakdown, and in the list. */
function readPage(turn) {
  return findPlaces(turn).flatMap((place) => [
    ...readPrinted(place, "score").map((text) => ({ kind: "printed", text: text === "–" ? null : text })),
    ...[...place.querySelectorAll(".band")].map((band) => ({ kind: "band", text: readBand(band) })),
  ]);
}

function findPlaces(turn) {
  return [document.getElementById(turn.anchor), listed.get(turn.anchor)].filter(Boolean);
}

function readBand(element) {
  return element.classList.contains("band-none") ? null : element.textContent.trim().split(/\s+/).pop();
}

function readPrinted(place, kind) {
  return [...place.querySelectorAll(`[data-printed="${kind}"]`)].map((found) => found.textContent.trim());
}

/** What stands in the turn's breakdown, column by column, where it is not what follows from the data. */
function checkBreakdown(turn, rubric, result) {
  const article = document.getElementById(turn.anchor);
  if (!article || !result) {
    return [];
  }
  const given = rubric.dimensions.map((_, place) => showGiven(turn.given, place, rubric.scale));
  const column = (name) => result.lines.map((line) => (line[name] ? printExact(line[name]) : "–"));
  const expected = {
    used: column("used"),
    weight: rubric.dimensions.map(({ weight }) => String(weight)),
    effective: column("effective"),
    adds: column("adds"),
    raw: [printExact(result.raw)],
  };
  const differing = Object.keys(expected).filter((kind) => readFigures(article, kind) !== expected[kind].join());
  const isGiven = readPrinted(article, "given").every((text, place) => isSame(readDecimal(text), given[place]));
  return [...differing, ...(isGiven ? [] : ["given"])].map((kind) => ({ kind, text: `another figure under “${kind}”` }));
}

function readFigures(article, kind) {
  return readPrinted(article, kind).map((text) => text.replace(/\s%$/, "")).join();
}

function isSame(value, expected) {
  return value === null || !expected ? value === (expected ?? null) : compare(value, asStored(expected)) === 0;
}

function checkMean(turns, rubric) {
  const printed = [...document.querySelectorAll('[data-printed="mean"]')].map((found) => found.textContent.trim());
  if (!printed.length || turns.length !== rubric.turns) {
    return [];
  }
  const scores = turns.map((turn) => scoreTurn(turn, rubric, ownWeights(rubric))?.score).filter(Boolean);
  const mean = takeMean(scores);
  const follows = mean ? printScore(mean, rubric) : "–";
  const stated = [rubric.mean ?? "–", ...printed];
  const agrees = stated.every((text) => text === follows);
  return [{ agrees, says: `The mean, recomputed: ${follows}${agrees ? ", as printed." : `; the page prints ${stated.join(", ")}.`}` }];
}

function sayResults(results) {
  const scored = results.filter(({ follows }) => follows);
  const wrong = results.filter(({ agrees }) => !agrees).length;
  const none = results.length - scored.length;
  const verdict = wrong ? `Of ${count(wrong, "turn")} the page or its data states something else.` : "All agree with what is printed.";
  return `${count(scored.length, "score")} recomputed. ${verdict}${none ? ` ${count(none, "turn")} without a score.` : ""}`;
}

function sayResult({ turn, follows, agrees, differing }) {
  if (agrees) {
    return follows ? `✓ recomputed: ${follows.printed}, as printed` : "✓ no verdict to compute a score from";
  }
  const what = new Set(differing.map(({ text }) => text ?? "none"));
  const found = follows ? `${follows.printed}, ${follows.band}` : "no score";
  return `✗ recomputed: ${found}; the page states ${[...what].join(", ")}`;
}

function markTurn(result) {
  for (const place of findPlaces(result.turn)) {
    place.querySelector(".mark")?.remove();
    const mark = make("span", { class: `mark ${result.agrees ? "agrees" : "differs"}` });
    if (place.matches("tr")) {
      mark.append(result.agrees ? " ✓ agrees" : " ✗ differs");
      place.lastElementChild.append(mark);
    } else {
      mark.append(sayResult(result));
      place.querySelector("header").after(mark);
    }
  }
}

function listFailure(result) {
  const link = make("a", { href: result.turn.href }, `Turn ${result.turn.number}`);
  return make("li", {}, link, ` ${sayResult(result)}`);
}
