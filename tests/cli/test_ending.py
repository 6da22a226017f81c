"""How a command ends when it is interrupted."""

from pydantic import field_serializer

from reportgen.cli import end_of
from reportgen.errors import Exit
from reportgen.record import Record


class Interrupted(Record):
    number: int

    @field_serializer("number")
    def write(self, _number: int) -> int:
        raise KeyboardInterrupt


def test_ctrl_c_while_json_is_written_is_an_interruption_and_no_bug(capsys):
    assert end_of(Interrupted(number=1).model_dump_json) == Exit.INTERRUPTED
    assert end_of(Interrupted(number=1).model_dump) == Exit.INTERRUPTED
    assert capsys.readouterr().err == "Interrupted.\n" * 2
