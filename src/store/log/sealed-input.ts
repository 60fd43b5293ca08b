import type { JsonValue } from '../../core/tool.ts'
import type { MasterKeyRing } from '../master-key.ts'
import { openEnvelope, sealEnvelope } from '../vault/envelope.ts'

/** Inputs that hold a secret, kept for the run of a call that comes after its answer. */
export interface InputSeal {
  seal(callId: string, input: JsonValue): string
  /** Throws when the key it was sealed with is gone. */
  open(sealed: string, callId: string): JsonValue
}

/** `keyId.wrappedKey.content`, under the active master key and bound to its call. */
export function createInputSeal(ring: MasterKeyRing): InputSeal {
  const bindingOf = (keyId: string, callId: string) => ['call-input', keyId, callId] as const
  const keyOf = (keyId: string) => {
    const key = ring.keys.get(keyId)
    if (key === undefined) throw new Error(`master key ${keyId} is missing`)
    return key
  }
  return {
    seal(callId, input) {
      const keyId = ring.activeId
      const content = Buffer.from(JSON.stringify(input))
      const envelope = sealEnvelope(keyOf(keyId), content, bindingOf(keyId, callId))
      const parts = [envelope.wrappedKey, envelope.sealed].map((part) =>
        Buffer.from(part).toString('base64'),
      )
      return [keyId, ...parts].join(' ')
    },
    open(sealed, callId) {
      const [keyId = '', wrappedKey = '', content = ''] = sealed.split(' ')
      const envelope = {
        wrappedKey: Buffer.from(wrappedKey, 'base64'),
        sealed: Buffer.from(content, 'base64'),
      }
      const opened = openEnvelope(keyOf(keyId), envelope, bindingOf(keyId, callId))
      return JSON.parse(Buffer.from(opened).toString()) as JsonValue
    },
  }
}
