/**
 * Another value of a secret is a change of its tenant, as a new name is: whatever runs with the old
 * one has to hear of it. Not so a row whose key is wrapped anew.
 */
export const secretValues: Readonly<Record<string, readonly string[]>> = {
  '0030_secret_values': [
    `create trigger note_value_change after update of sealed on secrets for each row
      execute function note_tenant_change('tenant')`,
  ],
}
