import type { SettingsApi } from '../../../core/settings/settings-api.ts'

/** A crib that nobody has configured. */
export function memorySettings(): SettingsApi {
  return {
    readSettings: async () => ({
      version: 'test',
      store: 'pglite',
      retention: { goneToolDays: 30 },
      approvals: { expiresIn: '24h', allowSelf: true },
      signIn: { password: true, providers: [] },
      roles: [{ name: 'owner', permissions: ['*'], isShipped: true }],
      permissions: ['tools.call'],
    }),
  }
}
