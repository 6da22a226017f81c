"""How the real capture of Google ADK, which is not part of the repository, is imported."""

from datetime import UTC, datetime

from reportgen.capture.importers import ImportOptions

OPTIONS = ImportOptions(
    sql_tools=frozenset({"execute_sql"}),
    drop_tools=frozenset({"submit_sql"}),
    captured_at=datetime(2026, 3, 29, tzinfo=UTC),
)
