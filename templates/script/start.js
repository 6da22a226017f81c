// Without this script the page is whole; with it, the page can recompute, and that of all turns can search and ask
// what if.

const place = document.getElementById("turn-tools");

if (place) {
  startCheck(place);
  if (carried.labels) {
    startWeights(place);
    startFind(place);
  }
}

startReach();

if (carried.parts) {
  forwardToTurn();
}
