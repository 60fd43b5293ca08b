/** How often somebody tried to sign in: one row for an account or an address, shared by all nodes. */
export const signIn: Readonly<Record<string, readonly string[]>> = {
  '0016_sign_in_attempts': [
    `create table sign_in_attempts (
      subject text collate "C" primary key,
      failures int not null,
      last_ms bigint not null,
      blocked_until_ms bigint not null
    )`,
    // Ending a sign-in ends it on every node at once: streams check their access again.
    `create trigger note_change after delete on sessions for each row
      execute function note_tenant_change('tenant')`,
    `create index sign_in_attempts_by_time on sign_in_attempts (last_ms)`,
    // The sign-in page asks whether anybody has a password at all.
    `create index members_with_password on members (tenant) where password_hash is not null`,
  ],
}
