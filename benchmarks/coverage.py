"""How often the nominal 95 % intervals of a report hold the true value, on capped, ceiling-heavy scores.

    .venv/bin/python benchmarks/coverage.py              # the tables of docs/methods.md, some minutes
    .venv/bin/python benchmarks/coverage.py --draws 300  # the same, roughly

Scores are composites of four subscores with caps, so many of them are exactly 100 and some lie at a ceiling. Turns are
independent, or of clients that differ in how often they are served perfectly. Chance is seeded.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SEED = 20260801
WEIGHTS = (30, 25, 25, 20)
CAPPED, CEILING = 0.084, 25
POOR = 50
LARGE = 2_000_000
"""Turns from which the true values of a population are taken."""


@dataclass(frozen=True)
class Population:
    """Scores with a share of exactly 100 that varies between clients with this concentration, the others as levels."""

    name: str
    perfect: float
    levels: tuple[int, ...]
    concentration: float | None
    sizes: tuple[int, ...]


HEAVY = (10, 9, 9, 8, 8, 7, 5, 3)
SPREAD = (10, 10, 9, 9, 8, 7, 6, 4, 2)
ALONE = (5, 10, 20, 53, 100, 300)
POPULATIONS = (
    Population("half at 100, turns alone", 0.5, HEAVY, None, ALONE),
    Population("one in seven at 100, turns alone", 0.136, SPREAD, None, ALONE),
    Population("half at 100, clients of 1 to 9 turns", 0.5, HEAVY, 2.0, (25, 50, 100, 300)),
    Population("one in seven at 100, clients of 1 to 9 turns", 0.136, SPREAD, 2.0, (25, 50, 100, 300)),
)


def main() -> None:
    """Prints a table for each population."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2_000, help="samples of each size")
    draws = parser.parse_args().draws
    print("| scores | turns | mean | median | share of poor | t interval without clusters |")
    print("| --- | --- | --- | --- | --- | --- |")
    for population in POPULATIONS:
        for size in population.sizes:
            found = " | ".join(measure(population, size, draws))
            print(f"| {population.name} | {size} | {found} |", flush=True)


def measure(population: Population, size: int, draws: int) -> list[str]:
    """How often each interval holds the true value; a dash where there is none in more than one draw of a hundred."""
    import numpy as np

    from reportgen.analysis.intervals import mean_interval, median_interval, share_interval

    rng = np.random.default_rng(SEED)
    scores, _ = draw(population, LARGE, rng)
    truth = (scores.mean(), np.median(scores), (scores < POOR).mean())
    kept: list[list[bool | None]] = [[], [], [], []]
    for _ in range(draws):
        values, clusters = draw(population, size, rng)
        plain, of = values.tolist(), clusters.tolist()
        found = (mean_interval(plain, of), median_interval(plain, of), share_interval([x < POOR for x in plain], of))
        for place, interval in enumerate(found):
            kept[place].append(holds(interval, truth[place]))
        kept[3].append(naive(values, truth[0]))
    return [print_coverage(results) for results in kept]


def holds(interval: Any, truth: float) -> bool | None:
    """Whether the interval holds the value; None without an interval."""
    return None if interval is None else bool(interval.low - 1e-9 <= truth <= interval.high + 1e-9)


def naive(values: Any, truth: float) -> bool:
    """The same of the t interval that knows neither limits nor clusters."""
    from reportgen.analysis.spread import t_quantile

    half = t_quantile(len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5
    return bool(abs(values.mean() - truth) <= half + 1e-9)


def print_coverage(results: Sequence[bool | None]) -> str:
    """The share with two digits after the point, of the draws that have an interval."""
    there = [result for result in results if result is not None]
    return f"{sum(there) / len(there):.3f}".removeprefix("0") if len(there) >= 0.99 * len(results) else "–"


def draw(population: Population, size: int, rng: Any) -> tuple[Any, Any]:
    """So many scores, and for each what it belongs to."""
    import numpy as np

    if population.concentration is None:
        clusters, rates = np.arange(size), np.full(size, population.perfect)
    else:
        lengths = rng.integers(1, 10, size)
        clusters = np.repeat(np.arange(size), lengths)[:size]
        shape = (population.perfect * population.concentration, (1 - population.perfect) * population.concentration)
        rates = rng.beta(*shape, size)[clusters]
    subscores = rng.choice(population.levels, (size, len(WEIGHTS)))
    # The first subscore pulls the others along, since what goes wrong early spoils what follows.
    subscores = np.minimum(subscores, np.maximum(subscores[:, :1] + 2, 0))
    raw = np.where(rng.random(size) < rates, 100.0, subscores @ np.array(WEIGHTS) / 10)
    return np.where(rng.random(size) < CAPPED, np.minimum(raw, CEILING), raw), clusters


if __name__ == "__main__":
    main()
