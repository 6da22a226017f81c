"""The batches of the loopback judge: answered after some looks, with results in an order of their own, and faults.

A request asks for a fault of its own by the mark of `judge_script`; besides the faults named there, `expired` and
`canceled` are what may become of it in a batch.
"""

import json
import random
import re
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

from tests.judge_script import FAULTS, MANNERS, Answer, error, find_problem, message

PATH = "/v1/messages/batches"
CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
UNANSWERED = ("expired", "canceled")


@dataclass
class Made:
    """A batch; `results` are its lines by custom id, `looks` is how often it was looked at."""

    id: str
    created_at: datetime
    results: dict
    looks: int = 0
    status: str = "in_progress"
    ended_at: datetime | None = None
    downloads: int = 0
    requests: list = field(default_factory=list)


class Batches:
    """All batches of a judge server.

    Attributes:
        looks: A batch ends when it is looked at, or listed, for so many times.
        missing: So many first looks at a batch answer 404.
        creating: What becomes of the next creations: `lost` never arrives and is never answered, `mute` is created and
            never answered, `500-lost` and `500-kept` answer 500, other names are those of `FAULTS`; None for no fault.
        downloading: What becomes of the next downloads: `("cut", N)` breaks after N lines, `("stall", N)` waits there
            for ever, `("short", N)` ends there as if it were whole.
        arrived: How many requests to create a batch came, whatever became of them.
        looked: How often any batch was looked at or listed.
    """

    def __init__(self, server):
        self.server = server
        self.made = {}
        self.looks, self.missing = 1, 0
        self.arrived = self.looked = 0
        self.creating, self.downloading = deque(), deque()
        self._created = 0

    @property
    def sizes(self):
        return [len(batch.results) for batch in self.made.values()]

    @property
    def ids(self):
        """The custom ids of all requests in all batches; one that was sent twice stands there twice."""
        return [name for batch in self.made.values() for name in batch.results]

    def answer(self, method, address, headers, body):
        """The answer to a request under `PATH`."""
        split = urlsplit(address)
        name, _, action = split.path.removeprefix(PATH).strip("/").partition("/")
        if not name:
            return self._create(headers, body) if method == "POST" else self._list(parse_qs(split.query))
        batch = self.made.get(name)
        if batch is None:
            return error(404, "not_found_error", f"no batch {name}")
        if action == "results":
            return self._download(batch)
        return self._cancel(batch) if (method, action) == ("POST", "cancel") else self._look_at(batch)

    def _create(self, headers, body):
        self.arrived += 1
        fault = self.creating.popleft() if self.creating else None
        if fault in ("lost", "500-lost"):
            return Answer(hang=True) if fault == "lost" else FAULTS["500"](body, headers)
        if fault in FAULTS:
            return FAULTS[fault](body, headers)
        requests = json.loads(body)["requests"]
        problem = find_batch_problem(requests)
        if problem:
            return error(400, "invalid_request_error", problem)
        batch = self.make(requests, headers)
        if fault == "mute":
            return Answer(hang=True)
        return FAULTS["500"](body, headers) if fault == "500-kept" else self._describe(batch)

    def make(self, requests, headers):
        """Creates a batch and answers its requests at once, though nobody sees it before it ends."""
        self._created += 1
        name = f"msgbatch_{self._created}"
        results = {request["custom_id"]: self._judge(request["params"], headers) for request in requests}
        self.made[name] = batch = Made(name, datetime.now(UTC), results, requests=requests)
        return batch

    def _judge(self, params, headers):
        problem = find_problem(headers, params)
        if problem:
            return {"type": "errored", "error": error(400, "invalid_request_error", problem).body}
        fault = self.server.next_fault(params)
        if fault in UNANSWERED:
            return {"type": fault}
        said = MANNERS[self.server.manner](params)
        answer = FAULTS[fault](params, headers) if fault else Answer(200, message(params, json.dumps(said)))
        if answer.status != 200:
            return {"type": "errored", "error": answer.body}
        answer.body["usage"] |= self.server.cache_usage(params) | {"service_tier": "batch"}
        return {"type": "succeeded", "message": answer.body}

    def _list(self, query):
        """A page of batches, the newest first."""
        names = list(reversed(self.made))
        begin = names.index(query["after_id"][0]) + 1 if "after_id" in query else 0
        page = names[begin : begin + min(int(query.get("limit", ["20"])[0]), 2)]
        return Answer(
            200,
            {
                "data": [self._look(self.made[name]).body for name in page],
                "has_more": begin + len(page) < len(names),
                "first_id": page[0] if page else None,
                "last_id": page[-1] if page else None,
            },
        )

    def _look_at(self, batch):
        if batch.looks < self.missing:
            batch.looks += 1
            return error(404, "not_found_error", f"no batch {batch.id}")
        return self._look(batch)

    def _look(self, batch):
        batch.looks += 1
        self.looked += 1
        if batch.looks >= self.looks + self.missing or batch.status == "canceling":
            batch.status, batch.ended_at = "ended", batch.ended_at or datetime.now(UTC)
        return self._describe(batch)

    def _cancel(self, batch):
        """Cancelling comes in the middle: every other request is answered by then."""
        if batch.status == "in_progress":
            batch.status = "canceling"
            for name in list(batch.results)[1::2]:
                batch.results[name] = {"type": "canceled"}
        return self._describe(batch)

    def _download(self, batch):
        if batch.status != "ended":
            return error(404, "not_found_error", "no results yet")
        batch.downloads += 1
        lines = [json.dumps({"custom_id": name, "result": result}) + "\n" for name, result in batch.results.items()]
        random.Random(f"{batch.id} {batch.downloads}").shuffle(lines)
        kind, count = self.downloading.popleft() if self.downloading else (None, None)
        headers = {"content-type": "application/x-jsonl"}
        if kind == "short":
            return Answer(200, "".join(lines[:count]), headers)
        if kind is None:
            return Answer(200, "".join(lines), headers)
        part = len("".join(lines[:count]).encode()) + 10
        return Answer(200, "".join(lines), headers, cut=kind == "cut", hang=kind == "stall", part=part)

    def _describe(self, batch):
        has_ended = batch.status == "ended"
        kinds = [result["type"] for result in batch.results.values()]
        counts = {kind: kinds.count(kind) if has_ended else 0 for kind in ("succeeded", "errored", *UNANSWERED)}
        return Answer(
            200,
            {
                "id": batch.id,
                "type": "message_batch",
                "processing_status": batch.status,
                "request_counts": counts | {"processing": 0 if has_ended else len(kinds)},
                "created_at": written(batch.created_at),
                "expires_at": written(batch.created_at + timedelta(hours=24)),
                "ended_at": written(batch.ended_at) if batch.ended_at else None,
                "cancel_initiated_at": None,
                "archived_at": None,
                "results_url": f"{self.server.url}{PATH}/{batch.id}/results" if has_ended else None,
            },
        )


def find_batch_problem(requests):
    """Why the API would not create the batch, or None; the parameters are looked at later only."""
    names = [request["custom_id"] for request in requests]
    if not names:
        return "requests: must not be empty"
    if not all(CUSTOM_ID.fullmatch(name) for name in names):
        return "requests: a custom_id has not the right form"
    return "requests: a custom_id stands twice" if len(set(names)) < len(names) else None


def written(moment):
    return moment.isoformat().replace("+00:00", "Z")
