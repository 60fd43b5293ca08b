import type { ByHand } from '../../operations/to-command.ts'
import { scanKeys } from './scan-keys.ts'

/** What `toolcrib keys` does beside its operations. */
export const keysByHand: ByHand = {
  actions: {
    scan: {
      usage: ['keys scan <file|folder|->… [--revoke [--yes]]'],
      options: {
        revoke: { type: 'boolean', summary: 'revoke the keys that still work, after asking' },
        yes: { type: 'boolean', summary: 'revoke without asking' },
      },
      maxWords: Infinity,
      isReading: true,
      run: scanKeys,
    },
  },
}
