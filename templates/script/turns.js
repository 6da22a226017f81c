// The data that the page carries: the rubric, and the turns, which may stand in files beside it.

const carried = JSON.parse(document.getElementById("report-data").textContent);
let loading = null;

/** The rows of the list of turns by the turn's anchor: those that the page came with, and those made later. */
const listed = collectRows(document.getElementById("turn-index"));

function collectRows(table) {
  const rows = [...(table?.tBodies[0].rows ?? [])];
  return new Map(rows.map((row) => [row.querySelector("a").hash.slice(1), row]));
}

/** All turns; those in files beside the page are read when they are first asked for. */
function loadTurns() {
  loading ??= carried.turns ? Promise.resolve(carried.turns) : readParts(carried.parts);
  return loading;
}

async function readParts(files) {
  const parts = new Map();
  globalThis.takeTurns = (file, turns) => parts.set(file, turns);
  await Promise.all(files.map(readPart));
  return files.flatMap((file) => parts.get(file) ?? []);
}

function readPart(file) {
  return new Promise((resolve, reject) => {
    const script = make("script", { src: file });
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error(`${file} cannot be read`)));
    document.head.append(script);
  });
}

/** The address of a turn on the index leads on to the page on which it stands, so that no one needs to know which. */
async function forwardToTurn() {
  const anchor = location.hash.slice(1);
  if (anchor.startsWith("turn-") && !document.getElementById(anchor)) {
    const turn = (await loadTurns()).find((one) => one.anchor === anchor);
    if (turn) {
      location.replace(turn.href);
    }
  }
}

/** Does something with the turns; if they cannot be read, says so in the status. */
async function withTurns(status, act) {
  try {
    return act(await loadTurns());
  } catch (error) {
    status.textContent = `That did not work: ${error.message}. The folder of the report must be kept together.`;
    throw error;
  }
}
