import type { McpServerSpec } from '../../core/gateway/server-spec.ts'

/** A secret named where secrets are not resolved, and the fix. */
export interface MisplacedSecret {
  path: string
  fix: string
}

/** Arguments appear in process lists and addresses in logs, so secrets are not resolved there. */
export function findMisplaced({
  args,
  url = '',
}: Pick<McpServerSpec, 'args' | 'url'>): MisplacedSecret | undefined {
  const named = /(?:^|[\s=/?&:])secret:[A-Za-z_]/
  if (named.test(toPlain(url))) {
    const fix = 'Send it in a header: --header "authorization: Bearer secret:<name>".'
    return { path: '/url', fix }
  }
  const at = args.findIndex((arg) => named.test(arg))
  if (at < 0) return undefined
  const fix = 'Give it to the program in its environment: --env NAME=secret:<name>.'
  return { path: `/args/${at}`, fix }
}

/** Byte by byte, because an address need not be valid text. */
function toPlain(url: string): string {
  return url.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  )
}
