"""The nouns: what is stored. No input, no output, no clock."""
