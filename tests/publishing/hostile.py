"""Turns whose every text means harm."""

from reportgen.model.turn import Answer, GuardrailBlock, Latency, Passage, Retrieval, SchemaLookup, ToolCall
from reportgen.model.verdict import Reply
from tests.publishing.conftest import Case, make_statement, make_turn, make_verdict

SCRIPT = "</script></style></title><script>alert(1)</script>"
TEMPLATE = "{{7*7}} {% raw %} [/red]"
LINKS = "[click](javascript:alert(2)) <a href='javascript:alert(3)'>x</a> <http://evil.example/a> ![i](http://evil.example/i.png)"
IMAGES = "<img src=http://evil.example/x onerror=alert(4)> <svg onload=alert(5)><use href='file:///etc/passwd'/></svg>"
UNSEEN = "a\u202egnp.exe\u2066b\x00\x07\x1b[31m\x7f\x9b\u2028c\ufffe d\U000e0041"
ZALGO = "z" + "\u0301" * 400
WORD = "W" * 100_000
DEEP = ">" * 300 + " deep\n\n" + "- a\n" + "".join("  " * level + "- b\n" for level in range(1, 120))
FORMULA = '=HYPERLINK("http://evil.example")'
EMOJI = "👩\u200d💻 \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 你好 שלום"
BOMB = "<svg xmlns='http://www.w3.org/2000/svg'><g id='a'>" + "<use href='#a'/>" * 10 + "</g></svg>"
PRIVATE = "\ue000\ufeff\U000f0000"
ALL = " ".join([SCRIPT, TEMPLATE, LINKS, IMAGES, UNSEEN, ZALGO, FORMULA, EMOJI, BOMB, PRIVATE])


def make_hostile_cases() -> list[Case]:
    """One turn with harm in each of its fields, and turns that are too long, too wide or too deep."""
    return [
        _everywhere(),
        *map(_answering, (WORD, DEEP, "![" * 4000, "[" * 20_000, "| a " * 60)),
        _wide(),
        _long(),
        _many_rows(),
    ]


def _everywhere() -> Case:
    turn = make_turn(
        1,
        id=ALL[:190],
        conversation=SCRIPT,
        question=ALL,
        labels={"client": IMAGES, SCRIPT: TEMPLATE, "region": "__proto__"},
        trajectory=(
            make_statement(
                text=ALL, dialect=SCRIPT, columns=(ALL, "x"), rows=((ALL, None), (FORMULA, 1e300)), notes=(ALL,)
            ),
            make_statement(status="error", error=ALL, columns=None, rows=None, row_count=None),
            ToolCall(name=SCRIPT, arguments={SCRIPT: [ALL]}, status="ok", output=ALL),
            SchemaLookup(target=ALL, status="error", error=ALL),
            GuardrailBlock(rule=SCRIPT, message=ALL),
            Retrieval(
                query=ALL,
                strategy=SCRIPT,
                engine=IMAGES,
                status="error",
                error=ALL,
                passages=(Passage(rank=1, id=SCRIPT, source=ALL, score=1e300, text=ALL), Passage(text=WORD)),
                notes=(ALL,),
            ),
        ),
        answer=Answer(text=ALL),
        model=SCRIPT,
        latency=Latency(total_ms=1e300),
        notes=(ALL,),
    )
    reply = Reply(
        quotes=(ALL, WORD),
        explanation=ALL,
        scores=dict.fromkeys(("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness"), 1),
        verdict="good",
        addressed_judge=True,
    )
    return turn, make_verdict(turn, reply=reply)


def _answering(text: str) -> Case:
    turn = make_turn(2, id=f"answering-{len(text)}-{text[:2]}", answer=Answer(text=text), question=text)
    return turn, make_verdict(turn, (2, 2, 2, 2))


def _wide() -> Case:
    columns = tuple(f"column_{number}" for number in range(60))
    rows = tuple(tuple(range(number, number + 60)) for number in range(30))
    turn = make_turn(3, id="wide", trajectory=(make_statement(columns=columns, rows=rows, row_count=5000),))
    return turn, make_verdict(turn, (5, 5, 5, 5))


def _long() -> Case:
    statement = make_statement(text="SELECT " + "x," * 50_000, columns=("c",), rows=((WORD,), ("v " * 20_000,)))
    lookups = (SchemaLookup(target="trips", status="ok"),) * 348
    turn = make_turn(4, id="long", trajectory=(statement, *lookups, statement))
    return turn, make_verdict(turn, (5, 5, 5, 5))


def _many_rows() -> Case:
    rows = tuple((f"name {number}", number / 7) for number in range(5_000))
    turn = make_turn(5, id="many-rows", trajectory=(make_statement(rows=rows, row_count=5_000),))
    return turn, make_verdict(turn, (5, 5, 5, 5))
