// Without this script the page is whole; with it, the page can recompute, and that of all turns can search and ask
// what if.

const place = document.getElementById("turn-tools");

if (place) {
  // Without a composite the rubric's data names corners, and there is no score to compute again.
  const hasScores = !carried.rubric.corners;
  if (hasScores) {
    startCheck(place);
  }
  if (carried.labels) {
    if (hasScores) {
      startWeights(place);
    }
    startFind(place);
  }
}

startReach();

if (carried.parts) {
  forwardToTurn();
}
