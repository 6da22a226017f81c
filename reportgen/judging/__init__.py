"""From turns to verdicts: what the judge is shown, how it is asked, and how its replies are read."""
