/** What groups of calls that turns wait for continue with. */
export const turnKind = 'turn'
