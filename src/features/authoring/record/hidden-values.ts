import { pointerStep } from '../../../core/kernel/json/json-pointer.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { isRedacted } from '../../../core/secrets/is-redacted.ts'
import { isSecret } from '../curl/credentials.ts'

/** True for a value that a document must not hold: hidden in the record, or like a credential. */
export function mustHide(name: string | undefined, value: JsonValue): boolean {
  if (typeof value !== 'string') return false
  if (isRedacted(value) || isSecret('', value)) return true
  const isLikeOne = value.length >= 8 && /\d/.test(value) && !/\s/.test(value)
  return isLikeOne && name !== undefined && isSecret(name, '')
}

/** A value without such parts, and where they were. In lists they become null. */
export function withoutHidden(
  value: JsonValue,
  name?: string,
): { value: JsonValue | undefined; missing: string[] } {
  const missing: string[] = []
  const visit = (
    inner: JsonValue,
    { at, key }: { at: string; key: string | undefined },
  ): JsonValue | undefined => {
    if (mustHide(key, inner)) {
      missing.push(at)
      return undefined
    }
    if (Array.isArray(inner)) {
      return inner.map((item, index) => visit(item, { at: pointerStep(at, index), key }) ?? null)
    }
    if (!isRecord(inner)) return inner
    const kept = Object.entries(inner).flatMap(([own, member]) => {
      const clean = visit(member, { at: pointerStep(at, own), key: own })
      return clean === undefined ? [] : [[own, clean] as const]
    })
    return Object.fromEntries(kept)
  }
  return { value: visit(value, { at: '', key: name }), missing }
}
