import type { Host } from '../../../core/host/host.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Stores } from '../../stores.ts'
import type { Sweep } from '../../../core/work-ports.ts'
import { createOutboxSweep } from './outbox-sweep.ts'

/** Where notices of approvals go. */
export interface WebhookConfig {
  readonly url: string
  readonly secretEnv?: string | undefined
}

/** Sends a webhook for every call that needs approval, if one is configured. */
export function outboxSweeps(options: {
  webhook: WebhookConfig | undefined
  store: Pick<Stores, 'now' | 'approvals' | 'events'>
  host: Pick<Host, 'network'>
  env: Readonly<Record<string, string | undefined>>
  publicUrl(): string
}): Sweep[] {
  const { webhook } = options
  if (webhook === undefined) return []
  const secret = webhook.secretEnv === undefined ? undefined : options.env[webhook.secretEnv]
  if (webhook.secretEnv !== undefined && !secret) throw secretMissing(webhook.secretEnv)
  if (secret?.startsWith('whsec_') && !isEncodedKey.test(secret)) throw secretMangled(webhook)
  return [
    createOutboxSweep({
      now: options.store.now,
      approvals: options.store.approvals,
      events: options.store.events,
      publicUrl: options.publicUrl,
      webhook: {
        url: webhook.url,
        secret,
        fetch: options.host.network.fetchFor({
          key: 'approval webhook',
          trusted: [new URL(webhook.url)],
        }),
      },
    }),
  ]
}

const isEncodedKey = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2}|[A-Za-z0-9+/]{4})$/

/**
 * Text that is not valid base64 would be read as a shorter or empty key, and anybody can sign with
 * an empty one.
 */
function secretMangled({ secretEnv }: WebhookConfig): ToolError {
  const message = `${secretEnv}, named by approvals.webhook.secretEnv, is not valid base64 after whsec_`
  return new ToolError('invalid_config', message, { fix: 'Copy the whole secret again.' })
}

/** Unsigned webhooks would be discarded by the receiver or, worse, trusted. */
function secretMissing(name: string): ToolError {
  const message = `approvals.webhook.secretEnv names ${name}, which is not set`
  return new ToolError('invalid_config', message, { fix: `Set ${name}, or omit secretEnv.` })
}
