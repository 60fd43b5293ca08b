/** What the answer to somebody else's key says: by these words doors know it from other input. */
export const usedByOther = 'This idempotency key was used by somebody else'
