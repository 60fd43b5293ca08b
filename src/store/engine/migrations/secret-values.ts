/**
 * A new value of a secret is a change of its tenant, as a new name is: processes that run with the
 * old value must be notified. A row whose key is merely rewrapped is not.
 */
export const secretValues: Readonly<Record<string, readonly string[]>> = {
  '0030_secret_values': [
    `create trigger note_value_change after update of sealed on secrets for each row
      execute function note_tenant_change('tenant')`,
  ],
}
