"""What programs meet: keys, pages by cursor, problems in a document."""
