import { randomBytes } from 'node:crypto'

const acceptable = /^[\w.:-]{1,64}$/

/**
 * Makes request ids: a prefix per process and a counter, because drawing random bytes for each
 * request would cost more than the rest of the answer's headers. They name, they do not protect.
 */
export function createRequestIds(): (given: string | undefined) => string {
  const prefix = `req_${randomBytes(5).toString('hex')}`
  let count = 0
  return function requestId(given) {
    if (given !== undefined && acceptable.test(given)) return given
    count += 1
    return prefix + count.toString(36)
  }
}
