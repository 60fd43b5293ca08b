/** Our ids are never made twice, so meeting our own means that an earlier try was written. */
export function isThere(error: unknown): boolean {
  const { constraint, cause } = error as { constraint?: string; cause?: { constraint?: string } }
  const broken = constraint ?? cause?.constraint
  return broken === 'calls_pkey' || broken === 'events_pkey'
}
