/** API keys that are rotated, and heard of on every node; master keys that every node has to hold. */
export const keys: Readonly<Record<string, readonly string[]>> = {
  '0011_keys': [
    `alter table api_keys
      add column previous_hash bytea,
      add column previous_until_ms bigint,
      add column rotated_ms bigint`,
    `drop index api_keys_by_tenant`,
    `create index api_keys_in_order on api_keys (tenant, created_ms, id)`,
    // Changes that stop a key. Its last use is written all the time and concerns nobody.
    `create trigger note_change after update of revoked_ms, hash, expires_ms, previous_until_ms
      on api_keys for each row
      when (old.revoked_ms is distinct from new.revoked_ms or old.hash is distinct from new.hash
        or old.expires_ms is distinct from new.expires_ms
        or old.previous_until_ms is distinct from new.previous_until_ms)
      execute function note_tenant_change('tenant')`,
    `create trigger note_removal after delete on api_keys for each row
      execute function note_tenant_change('tenant')`,
    // Ids of the master keys that a node holds: nothing may be sealed with one that another lacks.
    `alter table nodes add column key_ids text`,
  ],
}
