"""What comes from outside: files as streams of entries, pictures by their content, fields as they can be stored."""
