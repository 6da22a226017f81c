"""The answer of a turn in an ADK stream: the assistant's own last words, told from a harness's notice.

The rule, and why it is so, stands in `reportgen.capture.importers.adk`.
"""

from collections.abc import Iterable

from reportgen.capture.adk_events import Message
from reportgen.capture.harness import is_notice
from reportgen.capture.importers import ImportReport
from reportgen.model.turn import Answer


def read_answer(messages: Iterable[Message], final: str | None, report: ImportReport) -> tuple[Answer, tuple[str, ...]]:
    """The answer of a turn, or why there is none, with notes on where it was found.

    Args:
        messages: The messages after the user's question. Text in several parts of one message is one text.
        final: What a sample beside its events names as the final response; None where it names none.
        report: Counts what was taken, changed and left.
    """
    before, after = _split_texts(messages)
    told = [text for text in after if text.strip() and not is_notice(text)]
    report.left["texts of the assistant that are not its answer (commentary between calls)"] += len(before) + max(
        len(told) - 1, 0
    )
    if told:
        return Answer(text=told[-1]), _compare_final(told[-1], final, report)
    if final and final.strip() and not is_notice(final) and final not in before:
        report.changed["answers taken from final_response, since the stream holds none"] += 1
        return Answer(text=final), ("the answer stands in final_response only, not among the events",)
    return _answer_missing(after, final, report), ()


def _split_texts(messages: Iterable[Message]) -> tuple[list[str], list[str]]:
    """Texts of the assistant before and after its last call of a tool, blank ones before it passed over."""
    before: list[str] = []
    after: list[str] = []
    for message in messages:
        text = "\n".join(part.text for part in message.parts if part.kind == "text")
        has_text = any(part.kind == "text" for part in message.parts)
        if any(part.kind == "call" for part in message.parts):
            before += [item for item in (*after, text) if item.strip()]
            after = []
        elif has_text:
            after.append(text)
    return before, after


def _compare_final(text: str, final: str | None, report: ImportReport) -> tuple[str, ...]:
    if final is None or final.strip() == text.strip() or is_notice(final):
        return ()
    report.changed["answers that differ from final_response: the last text of the stream was taken"] += 1
    return ("final_response differs from the assistant's last text, which was taken as the answer",)


def _answer_missing(after: list[str], final: str | None, report: ImportReport) -> Answer:
    notice = next((text.strip() for text in (*reversed(after), final or "") if is_notice(text)), None)
    if notice is not None:
        report.left["notices in place of a final answer, quoted as the reason why there is none"] += 1
        return Answer(not_captured=f'the run ended with a notice, "{notice}", and without an answer of the assistant')
    if after:
        report.taken["empty answers"] += 1
        return Answer(text=after[-1])
    report.changed["turns without an answer"] += 1
    return Answer(not_captured="the stream holds no text of the assistant after its last call of a tool")
