"""The queue between those who hand turns in and the workers: Redis, by way of dramatiq.

The turns themselves are safe in the archive. What is lost here is sent again, and what comes twice is judged once.
"""
