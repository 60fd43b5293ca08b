import type { ByHand } from '../../operations/to-command.ts'
import { scanKeys } from './scan-keys.ts'

/** The verbs of `toolcrib keys` that are not operations. */
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
