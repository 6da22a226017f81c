"""How pages look: fonts, brand, colours, and templates of the user."""
