"""How well the offline reader reads: drawings from many fonts and hands, and a table of what was read."""
