/** Files that are handed in for tools, and the calls that use them. Their bytes are artifacts. */
export const uploads: Readonly<Record<string, readonly string[]>> = {
  '0027_uploads': [
    `create table uploads (
      id uuid primary key references artifacts on delete cascade,
      tenant text collate "C" not null,
      principal text collate "C" not null,
      name text not null,
      bytes bigint not null,
      sha256 text not null,
      created_ms bigint not null,
      look_ms bigint not null
    )`,
    `create index uploads_by_tenant on uploads (tenant, id)`,
    `create index uploads_to_look_at on uploads (look_ms)`,
    `create table upload_uses (
      upload_id uuid not null references uploads on delete cascade,
      call_id uuid not null,
      tenant text collate "C" not null,
      used_ms bigint not null,
      primary key (upload_id, call_id)
    )`,
    `create index upload_uses_by_tenant on upload_uses (tenant)`,
  ],
}
