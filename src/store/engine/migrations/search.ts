/** Which tools conversations have found by searching, and which keys have to search. */
export const search: Readonly<Record<string, readonly string[]>> = {
  '0021_found_tools': [
    `create table found_tools (
      tenant text collate "C" not null,
      session_id text collate "C" not null,
      tool text collate "C" not null,
      found_ms bigint not null,
      primary key (tenant, session_id, tool)
    )`,
    `create index found_tools_by_time on found_tools (tenant, found_ms)`,
    `alter table api_keys add column tool_mode text collate "C"`,
  ],
}
