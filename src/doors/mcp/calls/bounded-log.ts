import type { BaseContext } from '@modelcontextprotocol/server'

type Notify = BaseContext['mcpReq']['notify']

/**
 * The most log text sent in one request: for a client that does not read, all of it would stay in
 * memory here.
 */
const maxLogChars = 1_048_576

/** The same, for a tool that logs without end. The last line notes that some is missing. */
export function withBoundedLog(notify: Notify): Notify {
  let left = maxLogChars
  return async function notifyBounded(notification) {
    const { method, params } = notification
    if (method !== 'notifications/message') return notify(notification)
    if (left < 0) return
    left -= JSON.stringify(params).length
    return notify(left < 0 ? { method, params: { ...params, data: cutHere } } : notification)
  }
}

const cutHere = `The log of this request is cut here: it is longer than ${maxLogChars} characters`
