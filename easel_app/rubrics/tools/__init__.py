"""The six tools that models call (arXiv 2510.12712, and `scoring.tool_schemas`), and what answers them."""
