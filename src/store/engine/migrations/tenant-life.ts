/** Tenants that are made, suspended and deleted by people. */
export const tenantLife: Readonly<Record<string, readonly string[]>> = {
  '0019_tenant_life': [
    `alter table tenants
      add column suspended_ms bigint,
      add column deleted_ms bigint`,
    // Everything that looks for something to do asks for these every second.
    `create index tenants_not_active on tenants (slug) where status <> 'active'`,
    `create index tenants_deleted on tenants (deleted_ms) where deleted_ms is not null`,
  ],
}
