"""The figure check: does each number in an answer occur in, or follow from, the captured rows? Pure and exact."""
