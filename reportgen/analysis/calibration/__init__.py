"""How far a judge agrees with people: agreement, bias, what it misses, and figures corrected for it."""
