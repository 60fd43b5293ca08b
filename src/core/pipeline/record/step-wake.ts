/**
 * The end of a step adds this to the wakes of its parent: enough to continue it, even if other steps
 * are open. An item of a long list adds 1, so that its parent continues once for several of them.
 */
export const stepWake = 1_000_000
