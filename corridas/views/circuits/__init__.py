"""The pages of circuits as such: who sees one, founding, settings, handing on, the end."""
