"""The archive site: what was published of many runs, on one page, with a feed."""
