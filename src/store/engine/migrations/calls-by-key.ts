/**
 * The key of a call comes first: a caller who lost an answer knows the key, and perhaps no longer
 * the tool's name.
 */
export const callsByKey: Readonly<Record<string, readonly string[]>> = {
  '0029_calls_by_key': [
    `drop index calls_by_key`,
    `create unique index calls_by_key on calls (tenant, idempotency_key, tool)
      where idempotency_key is not null`,
  ],
}
