/**
 * The error message for another caller's key: doors recognise it by this text and tell it apart
 * from different input.
 */
export const usedByOther = 'This idempotency key was used by someone else'
