"""The configuration file: what this installation does by default."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError, model_validator

from reportgen.errors import ConfigError
from reportgen.reading import find_problem, read_yaml
from reportgen.record import Record
from reportgen.resources import resource

Format = Literal["html", "pdf", "json"]
Line = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\r\n]*$")]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Effort = Literal["low", "medium", "high", "xhigh", "max"]


class EvidenceConfig(Record):
    """How much of a turn the judge is shown."""

    rows: Annotated[int, Field(ge=1, le=1000)] = 20


class BrandConfig(Record):
    """Whose report it is: what the publisher puts on it. Paths are seen from the working folder."""

    name: Line | None = None
    logo: str | None = None
    accent: Colour | None = None
    cover: Colour | None = None
    footer: Line | None = None


class ReportConfig(Record):
    """How reports look and what is written."""

    title: Annotated[str, Field(min_length=1, max_length=200)] = "Answer quality report"
    formats: tuple[Format, ...] = ("html", "pdf", "json")
    brand: BrandConfig = BrandConfig()
    templates: str | None = None
    one_file_up_to: Annotated[int, Field(ge=0, le=10_000)] = 500


Finding = Literal["email", "phone", "card", "iban", "key", "password", "secret"]
Word = Annotated[str, Field(min_length=1, max_length=200)]


def _check_public(label: str) -> str:
    if label == "client":
        raise ValueError("clients are never shown to the public")
    return label


PublicLabel = Annotated[Word, AfterValidator(_check_public)]

COLUMNS = (
    *("email", "e_mail", "email_address", "*_email"),
    *("phone", "phone_number", "*_phone", "mobile_number", "fax_number"),
    *("password", "passwd", "password_hash", "*_password", "secret", "*_secret", "api_key", "*_api_key"),
    *("access_token", "auth_token", "refresh_token"),
    *("iban", "*_iban", "card_number", "*_card_number", "account_number"),
    *("ssn", "social_security_number", "passport_number", "date_of_birth", "birth_date", "dob"),
)
"""Names of columns whose values are withheld unless the file says otherwise."""


class RedactionConfig(Record):
    """What is withheld from a run that is derived for a client, and by which labels the public is shown results."""

    find: tuple[Finding, ...] = ("email", "phone", "card", "iban", "key", "password", "secret")
    columns: tuple[Word, ...] = COLUMNS
    labels: tuple[Word, ...] = ()
    names: tuple[Word, ...] = ()
    patterns: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,38}$")], Word] = {}
    phone_regions: tuple[Annotated[str, Field(pattern=r"^[A-Z]{2}$")], ...] = ("US", "GB")
    repeats_from: Annotated[int, Field(ge=2, le=100)] = 4
    public_labels: tuple[PublicLabel, ...] = ("surface", "region")


CaveatSlug = Literal[
    "judge-not-trusted",
    "judge-changed",
    "canaries-unanswered",
    "recorded-judge",
    "fixed-clock",
    "derived",
    "erased",
    "clients-not-shown",
    "shared-vendor",
    "nothing-scored",
    "few-turns",
    "unscored-turns",
    "lines-set-aside",
    "limited",
    "near-constant",
    "wide-interval",
    "one-cluster",
    "drawn-sample",
    "unmarked-bundle",
    "assumed-times",
    "judge-addressed",
    "unsupported-quotes",
    "clamped",
]
"""The slugs of all caveats that a run has by itself; a gate that names another is refused."""


class _Limit(Record):
    """A limit, which may stand as a number alone.

    `by` says what must keep it: the figure, or all of its 95 % interval.
    """

    by: Literal["value", "interval"] = "value"

    @model_validator(mode="before")
    @classmethod
    def _read_number(cls, data: object) -> object:
        return {"limit": data} if isinstance(data, int | float) else data


class ScoreLimit(_Limit):
    """A limit of a score, 0 to 100."""

    limit: Annotated[int | float, Field(ge=0, le=100)]


class ShareLimit(_Limit):
    """A limit of a share, 0 to 1."""

    limit: Annotated[int | float, Field(ge=0, le=1)]


class StratumGate(Record):
    """The least mean of the turns that bear a label with that value; without a value, of those of each value.

    By a rubric without a composite it is the mean of `metric`, the id of a dimension.
    """

    label: Word
    value: Word | None = None
    metric: Word | None = None
    mean_at_least: ScoreLimit


class GatesConfig(Record):
    """What `reportgen gate` demands of a run; nothing that is not said."""

    mean_at_least: ScoreLimit | None = None
    metrics_at_least: dict[Word, ScoreLimit] = {}
    poor_share_at_most: ShareLimit | None = None
    unscored_share_at_most: ShareLimit | None = None
    strata: tuple[StratumGate, ...] = ()
    no_failed_canary: bool = False
    no_regression: bool = False
    no_caveats: tuple[CaveatSlug, ...] = ()


NO_GATES = GatesConfig()


class AnchorsConfig(Record):
    """How far a new judge may move the composite on frozen anchors and still be taken as equivalent, in points."""

    margin: Annotated[int | float, Field(gt=0, le=10)] = 3


class PublishConfig(Record):
    """What `reportgen publish` makes of a period, and for whom.

    `audiences` are kinds; `client` stands for each client in `clients`, or for every client of the run where that is
    None. `capture` is where the captured turns of a period lie, with `{period}` in its name.
    """

    timezone: Line = "UTC"
    out: str = "publications"
    capture: str | None = None
    audiences: Annotated[tuple[Literal["internal", "client", "public"], ...], Field(min_length=1)] = ("internal",)
    clients: tuple[Word, ...] | None = None
    exports: tuple[Literal["csv", "xlsx", "parquet", "md"], ...] = ("csv", "md")
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s\"'<>]+$")] | None = None


class StreamingConfig(Record):
    """How turns are taken in and judged one by one as they come.

    `redis` is the address of the server that shares out the work; None where there is none. `collections` are those
    that a run is opened for by itself. `shared` says that all workers see this archive. `max_bytes` is how large one
    exchange may be, `max_waiting` how many may wait in the queue.
    """

    redis: Annotated[str, Field(pattern=r"^(rediss?|unix)://\S+$")] | None = None
    collections: tuple[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")], ...] = ()
    period: Literal["year", "month", "day"] = "month"
    shared: bool = True
    max_bytes: Annotated[int, Field(ge=1_000, le=64_000_000)] = 4_000_000
    max_waiting: Annotated[int, Field(ge=1, le=10_000_000)] = 100_000


class Config(Record):
    """All keys of `config.yaml`."""

    rubric: str = "sql-agent-1"
    judge: str = "anthropic:claude-opus-5-5"
    effort: Effort = "medium"
    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    timeout: Annotated[int, Field(ge=1, le=3600)] = 300
    runs: str = "runs"
    prices: str | None = None
    canaries: bool = True
    evidence: EvidenceConfig = EvidenceConfig()
    report: ReportConfig = ReportConfig()
    redaction: RedactionConfig = RedactionConfig()
    gates: GatesConfig = GatesConfig()
    anchors: AnchorsConfig = AnchorsConfig()
    publish: PublishConfig = PublishConfig()
    streaming: StreamingConfig = StreamingConfig()


def load_config(path: Path | None) -> Config:
    """The configuration of that file; without one, that of `./config.yaml` or the one that comes with the program.

    Raises:
        ConfigError: The file cannot be read, or a key or value is wrong.
    """
    local = Path("config.yaml")
    chosen = path or (local if local.exists() else resource("config.yaml"))
    try:
        return Config.from_data(read_yaml(chosen) or {})
    except ValidationError as error:
        what = f"{chosen}: {find_problem(error)}"
        raise ConfigError(what, "The documentation lists all keys: configuration.md.") from None
    except (OSError, TypeError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"{chosen} cannot be read: {why}", "Give a YAML file by --config.") from None
