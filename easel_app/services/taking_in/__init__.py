"""Taking sets of data in from outside: what is the same for every kind of records."""
