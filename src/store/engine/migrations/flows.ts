/** Flags of sessions, for the data-flow rule. */
export const flows: Readonly<Record<string, readonly string[]>> = {
  '0015_session_flags': [
    `create table session_flags (
      tenant text collate "C" not null,
      session_key text collate "C" not null,
      kind text collate "C" not null,
      call_id text collate "C" not null,
      tool text not null,
      raised_ms bigint not null,
      primary key (tenant, session_key, kind)
    )`,
    `create index session_flags_by_time on session_flags (tenant, raised_ms)`,
  ],
}
