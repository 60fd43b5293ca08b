import { ToolError } from '../kernel/errors.ts'

/**
 * Ports of other protocols into which an HTTP request could be smuggled: the bad ports of the
 * WHATWG fetch standard.
 */
const otherProtocols: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

const firstUnprivileged = 1024

/** Why HTTP requests to this port are blocked; undefined if they are allowed. */
export type PortRule = (port: number) => 'other protocol' | 'privileged' | undefined

/**
 * 80, 443 and unprivileged ports, plus the allowed ones. Ports of other protocols can't be opened:
 * no client that follows the standard connects to them.
 */
export function toPortRule(allowed: readonly number[] = []): PortRule {
  const open = new Set([80, 443, ...allowed])
  return (port) => {
    if (otherProtocols.has(port)) return 'other protocol'
    return port >= firstUnprivileged || open.has(port) ? undefined : 'privileged'
  }
}

/** The port of an address over http or https. */
export function portOf({ protocol, port }: { protocol: string; port?: string | null }): number {
  if (port !== undefined && port !== null && port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** The error for a blocked port. */
export function closedPort(port: number, why: 'other protocol' | 'privileged'): ToolError {
  if (why === 'other protocol') {
    return new ToolError('forbidden', `Port ${port} belongs to a protocol other than HTTP`, {
      fix: 'Let the server listen on 443, 80 or an unprivileged port such as 8080.',
    })
  }
  return new ToolError('forbidden', `Port ${port} is not open for outgoing requests`, {
    fix: 'Use 443, 80 or a port from 1024 up, or add the port to gateway.ports in the configuration.',
  })
}
