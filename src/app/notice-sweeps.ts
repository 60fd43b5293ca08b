import { ToolError } from '../core/errors.ts'
import type { Store } from '../core/ports.ts'
import { createNoticeSweep } from '../engine/notices.ts'
import type { Sweep } from '../engine/sweeps.ts'
import type { Config } from './config-schema.ts'

/** Tells the configured system outside of every call that waits for a person; nothing without one. */
export function noticeSweeps(options: {
  config: Config
  store: Store
  env: Readonly<Record<string, string | undefined>>
  publicUrl(): string
}): Sweep[] {
  const { webhook } = options.config.approvals
  if (webhook === undefined) return []
  const secret = webhook.secretEnv === undefined ? undefined : options.env[webhook.secretEnv]
  if (webhook.secretEnv !== undefined && !secret) throw secretMissing(webhook.secretEnv)
  return [
    createNoticeSweep({
      approvals: options.store.approvals,
      events: options.store.events,
      publicUrl: options.publicUrl,
      webhook: { url: webhook.url, secret },
    }),
  ]
}

/** Unsigned notices would be thrown away at the other end, or worse, believed. */
function secretMissing(name: string): ToolError {
  const message = `approvals.webhook.secretEnv names ${name}, which is not set`
  return new ToolError('invalid_config', message, { fix: `Set ${name}, or leave secretEnv away.` })
}
