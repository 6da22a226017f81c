import pytest


@pytest.fixture
def said():
    """The lines that were printed for a person."""
    return []
