/** The chain over the event feed, and daily figures: both are folds over events. */
export const audit: Readonly<Record<string, readonly string[]>> = {
  '0013_audit_and_usage': [
    `create table audit_segments (
      tenant text collate "C" not null,
      number int not null,
      from_cursor bytea not null,
      to_cursor bytea not null,
      rows int not null,
      events int not null,
      marks bytea,
      marks_digest bytea not null,
      previous bytea not null,
      digest bytea not null,
      is_break boolean not null,
      sealed_ms bigint not null,
      until_ms bigint not null,
      removed bytea,
      removed_proof bytea,
      removed_rows int not null default 0,
      primary key (tenant, number)
    )`,
    // Digests do not get smaller.
    `alter table audit_segments alter column marks set storage external`,
    `create index audit_segments_by_cursor on audit_segments (tenant, to_cursor)`,
    `create index audit_segments_by_time on audit_segments (tenant, until_ms, number)`,
    // Changed every second: with room in their page, old versions are cleared in passing, also where
    // nothing else ever cleans up.
    `create table audit_heads (
      tenant text collate "C" primary key,
      number int not null,
      digest bytea not null,
      era int not null,
      xid xid8 not null,
      stream uuid not null,
      last_seq int not null,
      until_ms bigint not null,
      proof bytea not null
    ) with (fillfactor = 50)`,
    // Events outside of calls are rare and must be found without scanning all calls.
    `create index events_outside_calls on events (tenant, era, xid, stream, last_seq)
      where not is_call`,
    `create table usage_days (
      tenant text collate "C" not null,
      day text collate "C" not null,
      kind text collate "C" not null check (kind in ('tenant', 'tool', 'agent', 'principal')),
      subject text collate "C" not null,
      calls bigint not null,
      completed bigint not null,
      failed bigint not null,
      denied bigint not null,
      cancelled bigint not null,
      run_ms bigint not null,
      output_bytes bigint not null,
      cost double precision not null,
      primary key (tenant, kind, day, subject)
    ) with (fillfactor = 50)`,
  ],
}
