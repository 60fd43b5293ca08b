/** The kind of continuation of groups that turns wait for. */
export const turnKind = 'turn'
