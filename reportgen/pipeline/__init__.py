"""The whole way, from captured turns to a report; the only room that knows all the steps."""
