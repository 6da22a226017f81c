// Exact numbers: fractions of big integers in lowest terms, the lower one positive.

function makeFraction(top, bottom = 1n) {
  const sign = bottom < 0n ? -1n : 1n;
  const common = findDivisor(top < 0n ? -top : top, bottom * sign);
  return { top: (sign * top) / common, bottom: (sign * bottom) / common };
}

function findDivisor(one, other) {
  while (other) {
    [one, other] = [other, one % other];
  }
  return one || 1n;
}

const ZERO = makeFraction(0n);

function add(one, other) {
  return makeFraction(one.top * other.bottom + other.top * one.bottom, one.bottom * other.bottom);
}

function multiply(one, other) {
  return makeFraction(one.top * other.top, one.bottom * other.bottom);
}

function divide(one, other) {
  return makeFraction(one.top * other.bottom, one.bottom * other.top);
}

/** Below zero where `one` is the lower, zero where they are equal. */
function compare(one, other) {
  const difference = one.top * other.bottom - other.top * one.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function lowest(one, other) {
  return compare(one, other) <= 0 ? one : other;
}

function highest(one, other) {
  return compare(one, other) >= 0 ? one : other;
}

/** The number that a decimal such as "-12.50" or "1e-7" writes; null where it writes none. */
function readDecimal(text) {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/.exec(text.trim());
  if (!match) {
    return null;
  }
  const [, sign, whole, decimals = "", exponent = "0"] = match;
  const digits = makeFraction(BigInt(sign + whole + decimals), 10n ** BigInt(decimals.length));
  const power = makeFraction(10n ** BigInt(Math.abs(Number(exponent))));
  return Number(exponent) < 0 ? divide(digits, power) : multiply(digits, power);
}

/** The middle value, or the mean of the two in the middle; null of none. */
function takeMedian(values) {
  const ordered = [...values].sort(compare);
  const half = Math.floor(ordered.length / 2);
  if (ordered.length === 0) {
    return null;
  }
  return ordered.length % 2 ? ordered[half] : divide(add(ordered[half - 1], ordered[half]), makeFraction(2n));
}

/** So many decimals, half up; an edge is printed only where it is reached: 74.96 prints as 74.9. */
function printNumber(value, decimals = 1, edges = []) {
  const unit = 10n ** BigInt(decimals);
  const scaled = multiply(value, makeFraction(unit));
  let steps = roundHalfUp(scaled);
  const isExact = compare(scaled, makeFraction(steps)) === 0;
  if (!isExact && steps % unit === 0n && edges.includes(Number(steps / unit))) {
    steps += compare(scaled, makeFraction(steps)) > 0 ? 1n : -1n;
  }
  const digits = String(steps < 0n ? -steps : steps).padStart(decimals + 1, "0");
  return `${steps < 0n ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** In full where six decimals suffice, else rounded to six and marked as such. */
function printExact(value) {
  const text = printNumber(value, 6);
  const isWhole = multiply(value, makeFraction(10n ** 6n)).bottom === 1n;
  return isWhole ? text.replace(/\.?0+$/, "") : `≈ ${text}`;
}

function roundHalfUp(value) {
  const size = value.top < 0n ? -value.top : value.top;
  const steps = (2n * size + value.bottom) / (2n * value.bottom);
  return value.top < 0n ? -steps : steps;
}
