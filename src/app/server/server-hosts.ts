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

/** Warnings about the names of the server, shown at its start. */
export function hostWarnings({ isNameless }: HostCheck): string[] {
  if (!isNameless) return []
  return [
    `Web pages, including the console, can use this server only under an IP address, localhost or ${hostname()}, because no other name is configured. Set server.publicUrl to the public address, or list names in server.hosts.`,
  ]
}

/**
 * Throws if tokens could never be valid: they are issued for the address of this server, and its
 * public address is not configured. The Host header cannot be trusted for it.
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
    `server.oauth needs server.publicUrl: tokens of ${open.issuer} are issued for the public address of this server, which is unknown`,
    { fix: 'Set server.publicUrl to the public address, or the audience of the issuer.' },
  )
}
