"""Answer-quality reports that a stranger can check."""

__version__ = "0.1.0"
