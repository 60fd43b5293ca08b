/** The key of a call comes first: whoever lost an answer knows it, and perhaps not the tool's name any more. */
export const callsByKey: Readonly<Record<string, readonly string[]>> = {
  '0029_calls_by_key': [
    `drop index calls_by_key`,
    `create unique index calls_by_key on calls (tenant, idempotency_key, tool)
      where idempotency_key is not null`,
  ],
}
