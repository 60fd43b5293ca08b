import { networkInterfaces } from 'node:os'
import { innerAddress } from '../../core/net/address-kind.ts'

/**
 * True for an address of this machine itself. A public one is no less dangerous than 127.0.0.1:
 * servers that listen on all interfaces answer there, behind the firewall.
 */
export function isOwnAddress(address: string): boolean {
  const wanted = innerAddress(address)
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((own) => innerAddress(own.address) === wanted),
  )
}
