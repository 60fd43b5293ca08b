import { isWithin, parseAddress } from './address-kind.ts'

/** True if a host, given by its requested name and its address, is on the list. */
export type AddressList = (host: string, address: string) => boolean

/**
 * Parses a list of host names, addresses and networks (`10.0.0.0/8`). Undefined if an entry is none
 * of these.
 */
export function parseAddressList(entries: readonly string[]): AddressList | undefined {
  const tests = entries.map(toTest)
  if (!tests.every((test) => test !== undefined)) return undefined
  return (host, address) => tests.some((test) => test(host.toLowerCase(), address))
}

const hostName = /^(?=.{1,253}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

function toTest(entry: string): AddressList | undefined {
  const [text = '', bits, ...more] = entry.toLowerCase().split('/')
  const network = parseAddress(text)
  if (network === undefined) {
    const isName = bits === undefined && hostName.test(text)
    return isName ? (host) => host === text : undefined
  }
  const width = bits === undefined ? network.length * 8 : Number(bits)
  const isWidth = Number.isInteger(width) && width >= 0 && width <= network.length * 8
  if (!isWidth || more.length > 0 || bits === '') return undefined
  return (_host, address) => {
    const bytes = parseAddress(address)
    return bytes?.length === network.length && isWithin(bytes, network, width)
  }
}
