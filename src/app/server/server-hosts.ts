import { hostname } from 'node:os'
import { ToolError } from '../../core/kernel/errors.ts'
import { createHostCheck, type HostCheck, isLoopback } from '../../doors/http/host-check.ts'
import type { Config } from '../config/config-schema.ts'

type ServerConfig = Config['server']

/** The names that a server answers to when it listens on this address. */
export function createServerHosts(
  { publicUrl, hosts }: Pick<ServerConfig, 'publicUrl' | 'hosts'>,
  listensAt: string,
): HostCheck {
  const named = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  return createHostCheck({ listensAt, allowed: [...hosts, ...named] })
}

/** What whoever starts the server should know about its names. */
export function hostWarnings({ isNameless }: HostCheck): string[] {
  if (!isNameless) return []
  return [
    `Web pages, the console among them, may use this server only under an IP address, localhost or ${hostname()}: no other name is configured. Set server.publicUrl to the address people use, or list names in server.hosts.`,
  ]
}

/**
 * Throws where tokens could never be good: they are made for the address of this server, and others
 * than this machine know it by one that nobody has told us. The Host header is no word for it.
 */
export function assertTokenAddress(
  { publicUrl, hosts, oauth }: Pick<ServerConfig, 'publicUrl' | 'hosts' | 'oauth'>,
  listensAt: string,
): void {
  const isKnown = publicUrl !== undefined || (isLoopback(listensAt) && hosts.length === 0)
  const open = oauth.issuers.find(({ audience }) => audience === undefined)
  if (isKnown || open === undefined) return
  throw new ToolError(
    'invalid_config',
    `server.oauth needs server.publicUrl: tokens of ${open.issuer} are made for the address of this server, which is not known where others reach it`,
    { fix: 'Set server.publicUrl to the address people use, or the audience of the issuer.' },
  )
}
