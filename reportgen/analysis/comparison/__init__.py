"""Two runs held against one another: what changed, by how much, where, and how sure that is."""
