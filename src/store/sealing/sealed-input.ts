import type { InputSeal } from '../../core/secrets/input-seal.ts'
import type { JsonValue } from '../../core/kernel/tool.ts'
import type { MasterKeyRing } from '../master-key.ts'
import { openEnvelope, sealEnvelope } from './envelope.ts'

/** `keyId.wrappedKey.content`, under the active master key and bound to its call, schedule or turn. */
export function createInputSeal(ring: MasterKeyRing): InputSeal {
  const bindingOf = (keyId: string, id: string) => ['call-input', keyId, id] as const
  const keyOf = (keyId: string) => {
    const key = ring.keys.get(keyId)
    if (key === undefined) throw new Error(`master key ${keyId} is missing`)
    return key
  }
  return {
    seal(id, input) {
      const keyId = ring.activeId
      const content = Buffer.from(JSON.stringify(input))
      const envelope = sealEnvelope(keyOf(keyId), content, bindingOf(keyId, id))
      const parts = [envelope.wrappedKey, envelope.sealed].map((part) =>
        Buffer.from(part).toString('base64'),
      )
      return [keyId, ...parts].join(' ')
    },
    open(sealed, id) {
      const [keyId = '', wrappedKey = '', content = ''] = sealed.split(' ')
      const envelope = {
        wrappedKey: Buffer.from(wrappedKey, 'base64'),
        sealed: Buffer.from(content, 'base64'),
      }
      const opened = openEnvelope(keyOf(keyId), envelope, bindingOf(keyId, id))
      return JSON.parse(Buffer.from(opened).toString()) as JsonValue
    },
  }
}
