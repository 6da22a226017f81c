// From what the judge gave to a score and its band, just as the report's program computes it.

/** The subscore that goes into the sum: the median of the readings, each moved to the scale first; null of none. */
function useSubscore(judges, dimension, maximum) {
  const top = makeFraction(BigInt(maximum));
  const medians = judges.map((judge) => {
    const given = judge[dimension].filter((value) => value !== null).map(readDecimal);
    return takeMedian(given.map((value) => lowest(highest(value, ZERO), top)));
  });
  const known = medians.filter((value) => value !== null);
  return judges.length === 1 ? medians[0] : takeMedian(known.map(asStored));
}

/** The subscore as the page shows it for given: of one judge not yet moved to the scale. */
function showGiven(judges, dimension, maximum) {
  if (judges.length > 1) {
    return useSubscore(judges, dimension, maximum);
  }
  return takeMedian(judges[0][dimension].filter((value) => value !== null).map(readDecimal));
}

/** A judge's median passes through a stored decimal number on its way into that of a panel. */
function asStored(value) {
  return value.bottom === 1n ? value : readDecimal(String(Number(value.top) / Number(value.bottom)));
}

/** The score of a turn under these weights, with its band and all on the way to it; null where the turn has none. */
function scoreTurn(turn, rubric, weights) {
  if (turn.given.length === 0) {
    return null;
  }
  const lines = weights.map((weight, place) => ({ weight, used: useOrLeaveOut(turn, place, rubric) }));
  const total = lines.reduce((sum, { weight, used }) => (used ? sum + weight : sum), 0n);
  if (total === 0n) {
    return null;
  }
  const weighed = lines.map(({ weight, used }) => weigh(weight, used, total, rubric.scale));
  const raw = weighed.reduce((sum, { adds }) => (adds ? add(sum, adds) : sum), ZERO);
  const ceilings = turn.caps.map((place) => makeFraction(BigInt(rubric.caps[place].ceiling)));
  const score = ceilings.reduce(lowest, raw);
  return { lines: weighed, raw, score, band: findBand(score, rubric) };
}

/** One dimension: its share of the weights that count, in percent, and what it adds to the raw score. */
function weigh(weight, used, total, scale) {
  if (!used) {
    return { used: null, effective: null, adds: null };
  }
  const effective = makeFraction(100n * weight, total);
  return { used, effective, adds: divide(multiply(effective, used), makeFraction(BigInt(scale))) };
}

function useOrLeaveOut(turn, dimension, rubric) {
  return turn.leftOut.includes(dimension) ? null : useSubscore(turn.given, dimension, rubric.scale);
}

/** The first band, highest first, whose lower edge the exact score reaches. */
function findBand(score, rubric) {
  return rubric.bands.find((band) => compare(score, makeFraction(BigInt(band.atLeast))) >= 0).id;
}

function ownWeights(rubric) {
  return rubric.dimensions.map((dimension) => BigInt(dimension.weight));
}

function printScore(score, rubric) {
  const edges = [0, 100, ...rubric.bands.map((band) => band.atLeast), ...rubric.caps.map((cap) => cap.ceiling)];
  return printNumber(score, 1, edges);
}

/** The mean of the scores, exactly; null of none. */
function takeMean(scores) {
  return scores.length ? divide(scores.reduce(add, ZERO), makeFraction(BigInt(scores.length))) : null;
}
