"""Why a turn has no score, or no value of a metric, in words."""

OUTCOMES = {
    "refused": "the judge refused",
    "truncated": "the judge's reply was cut off",
    "invalid": "the judge's reply did not have the required shape",
    "empty": "the judge's reply was empty",
    "request_error": "the request to the judge was rejected",
    "gave_up": "the judge could not be reached",
    "missing": "there is no verdict",
    "not_applicable": "no dimension applies",
}
