"""The fields of a record of question, passages and answer, under the names in common use."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

QUESTION = ("question", "user_input", "user_query", "query", "prompt", "input", "messages")
CONTEXTS = (
    *("retrieved_contexts", "contexts", "retrieval_context", "retrieved_context", "context", "retrieved_documents"),
    *(
        "retrieved_chunks",
        "retrieved_passages",
        "chunks",
        "documents",
        "passages",
        "source_documents",
        "docs",
        "sources",
    ),
)
ANSWER = (
    *("answer", "response", "actual_output", "generated_answer", "output", "final_answer", "completion"),
    *("prediction", "predictions", "llm_answer", "result"),
)
IDS = ("id", "query_id", "question_id", "task_id", "record_id", "sample_id", "request_id", "trace_id", "uuid")
CONVERSATION = ("conversation_id", "session_id", "thread_id", "chat_id", "conversation", "session")
TIMES = ("captured_at", "timestamp", "created_at", "asked_at", "datetime", "time", "date")
MODEL = ("model", "model_name", "answer_model", "llm_model", "llm", "generator")
AGENT = ("agent", "agent_name", "assistant", "app_name", "application", "bot")
SEARCH = ("search_query", "retrieval_query", "rewritten_query", "standalone_question")
LABELS = {
    **{name: name for name in ("collection", "engine", "top_k", "chunking", "chunk_size", "chunk_overlap", "client")},
    **{name: name for name in ("prompt_version", "surface", "region", "environment", "index", "embedding_model")},
    "strategy": "strategy",
    "retrieval_strategy": "strategy",
    "retrieval_engine": "engine",
    "k": "top_k",
    "collection_name": "collection",
}
"""Fields that become labels: name -> the label's name."""

LATENCIES = {
    "total_ms": ("total_latency", "latency", "total", "duration", "response_time", "elapsed", "total_time"),
    "retrieval_ms": ("retrieval_latency", "retrieval_time", "retrieval_duration", "retrieval"),
    "generation_ms": ("generation_latency", "generation_time", "generation_duration", "llm_latency", "generation"),
}
_LONGEST = 10**12
_UNITS = {"_ms": 1, "_s": 1000, "_sec": 1000, "_seconds": 1000}
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s.-]+")


def to_snake(name: str) -> str:
    """A name of a field as the lists above write it.

    >>> to_snake("retrievedContexts"), to_snake("Top K")
    ('retrieved_contexts', 'top_k')
    """
    return _WORD.sub("_", name).lower()


def _is_duration(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _LONGEST


class Fields:
    """The fields of a record, from which one after the other is taken; what stays was not taken."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._names: dict[str, str] = {to_snake(name): name for name in reversed(list(record))}
        self._record = record
        self._taken: set[str] = set()

    def take(self, names: Iterable[str]) -> Any:
        """The value of the first of the fields that has one."""
        for name in names:
            given = self._names.get(name)
            if given is not None and self._record[given] not in (None, "", [], {}):
                self._taken.add(given)
                return self._record[given]
        return None

    def take_given(self, names: Iterable[str]) -> tuple[bool, Any]:
        """As `take`, but an empty value counts too; whether there is any but null, and the value."""
        value = self.take(names)
        if value is not None:
            return True, value
        for name in names:
            given = self._names.get(name)
            if given is not None and self._record[given] is not None:
                self._taken.add(given)
                return True, self._record[given]
        return False, None

    def take_text(self, names: Iterable[str]) -> str | None:
        """The value as text, if it is a text or a number."""
        for name in names:
            given = self._names.get(name)
            value = None if given is None else self._record[given]
            if (
                given is not None
                and isinstance(value, str | int | float)
                and str(value)
                and not isinstance(value, bool)
            ):
                self._taken.add(given)
                return str(value)
        return None

    def take_latencies(self) -> dict[str, float]:
        """The latencies in milliseconds, of fields whose name tells the unit."""
        nested: dict[str, Any] = next(
            (self.take((name,)) for name in ("latency", "latencies", "timings") if self._is_object(name)), {}
        )
        inner = Fields(nested)
        found = {key: self._take_duration(names) or inner._take_duration(names) for key, names in LATENCIES.items()}
        return {key: value for key, value in found.items() if value is not None}

    def left(self) -> list[str]:
        """The names of the fields that hold something and were not taken."""
        return [
            name for name, value in self._record.items() if name not in self._taken and value not in (None, "", [], {})
        ]

    def _is_object(self, name: str) -> bool:
        given = self._names.get(name)
        return given is not None and isinstance(self._record[given], dict)

    def _take_duration(self, names: Iterable[str]) -> float | None:
        for name in names:
            for unit, factor in _UNITS.items():
                given = self._names.get(f"{name}{unit}")
                value = None if given is None else self._record[given]
                if given is not None and value is not None and _is_duration(value):
                    self._taken.add(given)
                    return float(value) * factor
        return None
