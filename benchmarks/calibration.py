"""How often the nominal 95 % intervals of a calibration hold the true value.

    .venv/bin/python benchmarks/calibration.py              # the table of docs/methods.md, a minute
    .venv/bin/python benchmarks/calibration.py --draws 200  # the same, roughly

People put turns into three bands, 8, 22 and 70 in a hundred; a judge agrees with them by a known confusion. Chance is
seeded.
"""

import argparse
from typing import Any

SEED = 20260801
BANDS = ("poor", "partial", "good")
SHARES = (0.08, 0.22, 0.70)
TURNS = 2_000
"""Turns of a run, of which some are labelled."""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=1_000, help="samples of each size")
    draws = parser.parse_args().draws
    print("| labels | kappa | kappa, by strata | gate passed at a true kappa of .60 | rho | poor share | mean |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for size in (30, 60, 150, 300):
        print(f"| {size} | {' | '.join(measure(size, draws))} |", flush=True)


def measure(size: int, draws: int) -> list[str]:
    """How often each interval holds the true value."""
    import numpy as np

    rng = np.random.default_rng(SEED)
    good, bad = confusion(0.80), confusion(0.60)
    truth = true_kappa(good), true_rho(rng)
    kept: list[list[bool]] = [[] for _ in range(6)]
    for _ in range(draws):
        for place, found in enumerate(draw(size, good, bad, truth, rng)):
            if found is not None:
                kept[place].append(found)
    return [f"{sum(found) / len(found):.3f}".removeprefix("0") if found else "–" for found in kept]


def confusion(kappa: float) -> Any:
    """Shares of judge's band by line and people's by column, with that kappa: chance but for a part that agrees."""
    import numpy as np

    shares = np.array(SHARES)
    return kappa * np.diag(shares) + (1 - kappa) * np.outer(shares, shares)


def true_kappa(table: Any) -> float:
    """Of the whole population."""
    from reportgen.analysis.calibration.kappa import kappa_of, weigh_agreement

    value = kappa_of(table, weigh_agreement(3, "nominal"))
    assert value is not None
    return value


def true_rho(rng: Any) -> float:
    """Of many scores."""
    import numpy as np

    from reportgen.analysis.calibration.ranks import weighted_rho

    judge, people = draw_scores(200_000, rng)
    return weighted_rho(judge, people, np.ones(len(judge))) or 0.0


def draw_scores(count: int, rng: Any) -> tuple[Any, Any]:
    """A judge's scores and people's, capped, tied and many of them at 100."""
    import numpy as np

    people = np.clip(np.round(rng.normal(85, 20, count) / 2.5) * 2.5, 0, 100)
    judge = np.clip(np.round((people + rng.normal(3, 12, count)) / 2.5) * 2.5, 0, 100)
    capped = rng.random(count) < 0.06
    return np.where(capped, 25.0, judge), np.where(capped, np.minimum(people, 25.0), people)


def draw(size: int, good: Any, bad: Any, truth: tuple[float, float], rng: Any) -> list[bool | None]:
    """One sample of each kind; None where there is no interval."""
    from reportgen.analysis.calibration.gate import decide_gate
    from reportgen.analysis.calibration.kappa import measure_kappa
    from reportgen.analysis.calibration.ranks import measure_rho

    ones, others = draw_bands(size, good, rng)
    plain = measure_kappa(ones, others, BANDS)
    poor_ones, poor_others = draw_bands(size, bad, rng)
    counts = {band: poor_others.count(band) for band in BANDS[:2]}
    passed = decide_gate(measure_kappa(poor_ones, poor_others, BANDS), counts)[0] == "pass"
    judge, people = draw_scores(size, rng)
    rho = measure_rho(judge.tolist(), people.tolist())
    strata = holds(by_strata(size, good, rng), truth[0])
    return [holds(plain, truth[0]), strata, passed, holds(rho, truth[1]), *corrected(size, good, rng)]


def draw_bands(count: int, table: Any, rng: Any) -> tuple[list[str], list[str]]:
    """Bands by the judge and by people."""
    cells = rng.choice(9, count, p=table.ravel())
    return [BANDS[cell // 3] for cell in cells], [BANDS[cell % 3] for cell in cells]


def by_strata(size: int, table: Any, rng: Any) -> Any:
    """Kappa of a sample of equal thirds by the judge's band, weighted back."""
    from reportgen.analysis.calibration.design import build_design
    from reportgen.analysis.calibration.kappa import measure_kappa

    ones, others = draw_bands(TURNS, table, rng)
    chosen = [place for band in BANDS for place in [n for n, own in enumerate(ones) if own == band][: size // 3]]
    strata = [ones[place] for place in chosen]
    design = build_design(strata, [ones.count(band) / strata.count(band) for band in strata])
    return measure_kappa(strata, [others[place] for place in chosen], BANDS, "nominal", design)


def corrected(size: int, table: Any, rng: Any) -> list[bool | None]:
    """Whether the corrected share and mean hold the true ones, the labels being drawn from a whole run."""
    from reportgen.analysis.calibration.corrected import Rate, RunMean, correct_mean, correct_share
    from reportgen.analysis.calibration.design import equal_design

    ones, others = draw_bands(TURNS, table, rng)
    labelled = list(zip(ones, others, strict=True))[:size]
    poor = [one == "poor" for one, other in labelled if other == "poor"]
    rest = [one != "poor" for one, other in labelled if other != "poor"]
    share = None
    if len(poor) >= 10 and size >= 50:
        found = Rate(ones.count("poor") / TURNS, TURNS)
        rates = (Rate(sum(hits) / len(hits), len(hits)) for hits in (poor, rest))
        share = holds(correct_share(found, *rates), SHARES[0])
    judge, people = draw_scores(TURNS, rng)
    run = RunMean(judge.mean(), judge.var(ddof=1) / TURNS, judge.var(ddof=1), TURNS)
    mean = correct_mean(run, judge[:size], people[:size], equal_design(size)).mean
    return [share, holds(mean, true_mean())]


def true_mean() -> float:
    """People's mean over the population, once computed."""
    import numpy as np

    if not _MEAN:
        _MEAN.append(float(draw_scores(4_000_000, np.random.default_rng(SEED))[1].mean()))
    return _MEAN[0]


_MEAN: list[float] = []


def holds(found: Any, truth: float) -> bool | None:
    """Whether the interval holds the value; None without an interval."""
    return None if found.low is None else bool(found.low <= truth <= found.high)


if __name__ == "__main__":
    main()
