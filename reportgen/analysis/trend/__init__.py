"""A series of means over days or runs: its points, its slope, and the points that fell below it."""
