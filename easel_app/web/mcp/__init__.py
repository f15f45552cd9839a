"""The Model Context Protocol at /mcp: MCP clients list tasks, paint and look through the same services as REST."""
