"""Finished runs over HTTP, read-only: statistics and rows of collections, and reports. It makes and changes nothing."""
