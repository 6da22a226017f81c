"""Where Redis is: the configuration says so, or the environment, which may hold a password."""

import os
from typing import Final

from pydantic import ValidationError

from reportgen.config import StreamingConfig
from reportgen.errors import ConfigError

VARIABLE: Final = "REPORTGEN_REDIS"


def with_address(settings: StreamingConfig) -> StreamingConfig:
    """The settings with the address of Redis that the environment names, if it does.

    Raises:
        ConfigError: That is no address. Its text is not in the message, since it may hold a password.
    """
    address = os.environ.get(VARIABLE)
    if not address:
        return settings
    try:
        return StreamingConfig.from_data({**settings.to_data(), "redis": address})
    except ValidationError:
        raise ConfigError(
            f"{VARIABLE} is no address of Redis",
            "Write redis://HOST:PORT/NUMBER; in a password, a space is written %20, and / is written %2F.",
        ) from None
