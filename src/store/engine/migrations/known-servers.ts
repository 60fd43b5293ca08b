/** Facts about MCP servers that are known without asking them. */
export const knownServers: Readonly<Record<string, readonly string[]>> = {
  '0023_mcp_known_servers': [
    `create table mcp_known_servers (
      tenant text collate "C" not null,
      server text collate "C" not null,
      fingerprint text not null,
      verdict text,
      tools text,
      about text,
      listed_ms bigint,
      primary key (tenant, server)
    )`,
  ],
}
