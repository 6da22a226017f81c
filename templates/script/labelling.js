// What a labeller fills in is kept in the browser where that is allowed, and goes out as a file and in no other way.

const carried = JSON.parse(document.getElementById("report-data").textContent);
const byId = (id) => document.getElementById(id);
const form = byId("labels");
const fields = [...form.querySelectorAll("fieldset[data-dimension]")];
const places = new Map(carried.turns.map((turn, place) => [turn, place]));
const NOT_APPLICABLE = "N/A";
const DRAFT = `reportgen-labels/${carried.seal}/${carried.labeller}`;

/** For each turn, by its place, what was filled in; a dimension that is not there is open. */
let labels = carried.turns.map(() => null);
let shown = 0;
let isSaved = true;

function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

function say(text) {
  byId("said").textContent = text;
}

/** What a fieldset holds: a value, or nothing. A box for "does not apply" goes before a number. */
function readField(field) {
  const checked = field.querySelector("input:checked");
  const number = field.querySelector("input[type=number]");
  return checked ? checked.value : number && number.validity.valid ? number.value : "";
}

function fillField(field, value) {
  for (const input of field.querySelectorAll("input")) {
    if (input.type === "number") {
      input.value = value === NOT_APPLICABLE ? "" : value;
    } else {
      input.checked = input.value === value;
    }
  }
}

function readForm() {
  const scores = new Map();
  for (const field of fields) {
    const value = readField(field);
    if (value !== "") {
      scores.set(field.dataset.dimension, value === NOT_APPLICABLE ? null : Number(value));
    }
  }
  const band = readField(byId("band")) || null;
  const comment = byId("comment").value.trim() || null;
  return scores.size || band || comment ? { scores, band, comment, date: today() } : null;
}

function fillForm(label) {
  for (const field of fields) {
    const score = label?.scores.get(field.dataset.dimension);
    fillField(field, score === undefined ? "" : score === null ? NOT_APPLICABLE : String(score));
  }
  fillField(byId("band"), label?.band ?? "");
  byId("comment").value = label?.comment ?? "";
}

function isDone(label) {
  return label !== null && label.band !== null && carried.dimensions.every((name) => label.scores.has(name));
}

/** What is saved: the same in the browser and in the file. */
function describe() {
  const filled = labels.map((label, place) => label && {
    turn: carried.turns[place],
    date: label.date,
    scores: Object.fromEntries(label.scores),
    band: label.band,
    comment: label.comment,
  });
  return {
    format: carried.format,
    run: carried.run,
    seal: carried.seal,
    rubric: carried.rubric,
    labeller: byId("labeller").value.trim(),
    date: today(),
    labels: filled.filter((label) => label !== null),
  };
}

/** Takes over what was saved; what is not of this page, or off the scale, is left out. Gives how many turns there were. */
function take(saved) {
  const values = new Set(carried.scale.map(Number));
  let taken = 0;
  for (const { turn, date, scores, band, comment } of saved.labels) {
    if (places.has(turn)) {
      const known = Object.entries(scores ?? {}).filter(([name, value]) =>
        carried.dimensions.includes(name) && (value === null || values.has(value)));
      labels[places.get(turn)] = { scores: new Map(known), band: band ?? null, comment: comment ?? null, date };
      taken += 1;
    }
  }
  if (typeof saved.labeller === "string" && saved.labeller) {
    byId("labeller").value = saved.labeller;
  }
  return taken;
}

function keepDraft() {
  isSaved = false;
  try {
    localStorage.setItem(DRAFT, JSON.stringify(describe()));
    byId("kept").textContent = "What you fill in is kept in this browser until you save it.";
  } catch {
    byId("kept").textContent = "This browser keeps no draft: save to a file before you close the page.";
  }
}

function takeDraft() {
  try {
    const draft = localStorage.getItem(DRAFT);
    return draft ? take(JSON.parse(draft)) : 0;
  } catch {
    return 0;
  }
}

function showProgress() {
  const done = labels.filter(isDone).length;
  byId("progress").max = labels.length;
  byId("progress").value = done;
  byId("progress-said").textContent = `${done} of ${labels.length} turns labelled in full`;
  [...byId("go").options].forEach((option, place) => {
    const label = labels[place];
    const state = isDone(label) ? "labelled" : label ? "begun" : "open";
    option.textContent = `Turn ${place + 1}: ${state}`;
  });
  byId("previous").disabled = shown === 0;
  byId("next").disabled = shown === labels.length - 1;
}

function show(place, { focus = true } = {}) {
  shown = place;
  document.querySelectorAll(".labelling-turns article").forEach((article, number) => {
    article.hidden = number !== place;
  });
  byId("shown-number").textContent = String(place + 1);
  byId("go").value = String(place);
  fillForm(labels[place]);
  showProgress();
  document.querySelector(".labelling-side").scrollTop = 0;
  if (focus) {
    const title = byId(`turn-${place + 1}-title`);
    title.focus();
    title.scrollIntoView({ block: "start" });
  }
}

function findOpen() {
  const order = labels.map((_, step) => (shown + 1 + step) % labels.length);
  return order.find((place) => !isDone(labels[place]));
}

function save() {
  const content = describe();
  if (!content.labeller) {
    say("Fill in your labeller id first.");
    byId("labeller").focus();
    return;
  }
  const name = content.labeller.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "") || "labeller";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 1)], { type: "application/json" }));
  link.download = `labels-${name}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  isSaved = true;
  say(`${content.labels.length} of ${labels.length} turns saved to ${link.download}.`);
}

async function openSaved(file) {
  try {
    const saved = JSON.parse(await file.text());
    if (saved.format !== carried.format || saved.seal !== carried.seal) {
      say("That file is not one of labels of this run.");
      return;
    }
    say(`${take(saved)} turns taken over from the file.`);
    keepDraft();
    show(shown, { focus: false });
  } catch {
    say("That file cannot be read as one of saved labels.");
  }
}

function discard() {
  if (confirm("Discard all labels on this page?")) {
    labels = labels.map(() => null);
    keepDraft();
    show(0);
    say("All labels were discarded.");
  }
}

function takeForm() {
  labels[shown] = readForm();
  keepDraft();
  showProgress();
}

byId("go").append(...labels.map((_, place) => new Option("", String(place))));
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  // A number that is filled in says that the dimension applies.
  if (event.target.type === "number" && event.target.value !== "") {
    event.target.closest("fieldset").querySelectorAll("input[type=checkbox]").forEach((box) => { box.checked = false; });
  }
  takeForm();
});
byId("labeller").addEventListener("input", keepDraft);
byId("clear").addEventListener("click", () => { fillForm(null); takeForm(); say("The labels of this turn were cleared."); });
byId("previous").addEventListener("click", () => show(shown - 1));
byId("next").addEventListener("click", () => show(shown + 1));
byId("go").addEventListener("change", (event) => show(Number(event.target.value)));
byId("open").addEventListener("click", () => {
  const place = findOpen();
  if (place === undefined) {
    say("All turns are labelled in full. Save them to a file.");
  } else {
    show(place);
  }
});
byId("save").addEventListener("click", save);
byId("saved").addEventListener("change", (event) => { if (event.target.files.length) { openSaved(event.target.files[0]); } });
byId("discard").addEventListener("click", discard);
window.addEventListener("beforeunload", (event) => { if (!isSaved) { event.preventDefault(); } });

const found = takeDraft();
show(0, { focus: false });
if (found) {
  say(`${found} turns taken over from the draft that this browser kept.`);
}
