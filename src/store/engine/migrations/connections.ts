/**
 * Credentials for MCP servers are removed with their owner: triggers see to that in the same
 * transaction, however a member, a key or a server is removed.
 */
export const connections: Readonly<Record<string, readonly string[]>> = {
  '0025_mcp_connections': [
    `create table mcp_connections (
      id uuid not null unique,
      tenant text collate "C" not null,
      server text collate "C" not null,
      subject text collate "C" not null,
      kind text collate "C" not null check (kind in ('client', 'tokens', 'pending')),
      name text collate "C" not null,
      version int not null,
      key_id text not null,
      wrapped_key bytea not null,
      sealed bytea not null,
      created_ms bigint not null,
      updated_ms bigint not null,
      expires_ms bigint,
      lease_ms bigint,
      primary key (tenant, server, subject, kind, name)
    )`,
    `create index mcp_connections_pending on mcp_connections (name) where kind = 'pending'`,
    `create index mcp_connections_by_subject on mcp_connections (tenant, subject)`,
    `create function forget_connections() returns trigger language plpgsql
      set search_path from current as $$
      begin
        delete from mcp_connections where tenant = old.tenant and subject = tg_argv[0] || old.id;
        return null;
      end $$`,
    `create trigger forget_connections after delete on members for each row
      execute function forget_connections('user:')`,
    `create trigger forget_connections after update of revoked_ms on api_keys for each row
      when (new.revoked_ms is not null) execute function forget_connections('key:')`,
    `create function forget_server_connections() returns trigger language plpgsql
      set search_path from current as $$
      begin
        delete from mcp_connections where tenant = old.tenant and server = old.name;
        return null;
      end $$`,
    `create trigger forget_connections after delete on rules for each row
      when (old.kind = 'mcp-server') execute function forget_server_connections()`,
  ],
}
