/** How a command writes to a stream whose other writers were redirected. */
export const ownWrites = new WeakMap<object, (content: string | Uint8Array) => boolean>()
