import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Decision } from '../kernel/call.ts'
import { addFlowAsk, judgeFlow } from './judge-flow.ts'
import { isOutside } from './labels-of.ts'
import type { SessionFlag } from './session-flags.ts'
import { dataKinds, outsideEffects } from '../kernel/tool-labels.ts'

function flag(kind: SessionFlag['kind'], callId = 'call_1'): SessionFlag {
  return { kind, callId, tool: kind === 'untrusted' ? 'web.fetch' : 'crm.find', raisedAt: '' }
}

test('the reason names both calls and the effect', () => {
  const flags = [flag('private', 'call_2'), flag('untrusted', 'call_1')]
  expect(judgeFlow('mail.send', { effects: 'external', isOutside: true }, flags)).toBe(
    'the session has seen untrusted data (web.fetch, call_1) and private data (crm.find, call_2), and mail.send has an external effect',
  )
})

test('approval is needed exactly when both kinds were seen and the effect is outside', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...dataKinds)),
      fc.constantFrom(...outsideEffects),
      (kinds, effects) => {
        const flags = kinds.map((kind) => flag(kind))
        const reason = judgeFlow('a.b', { effects, isOutside: isOutside(effects) }, flags)
        const isDue = kinds.length === 2 && ['external', 'irreversible'].includes(effects)
        expect(reason !== undefined).toBe(isDue)
      },
    ),
  )
})

test('an ask is added to other asks, and never lifts a denial', () => {
  const allow: Decision = { verdict: 'allow', layer: 'grants', rule: 'granted', reasons: [] }
  const ask: Decision = { verdict: 'ask', layer: 'hooks', rule: 'hook', reasons: ['hook'] }
  const deny: Decision = { verdict: 'deny', layer: 'tenant', rule: 'no', reasons: ['no'] }
  expect(addFlowAsk(allow, undefined)).toBe(allow)
  expect(addFlowAsk(allow, 'why')).toEqual({
    verdict: 'ask',
    layer: 'data-flow',
    rule: 'why',
    reasons: ['why'],
  })
  expect(addFlowAsk(ask, 'why')).toEqual({ ...ask, reasons: ['hook', 'why'] })
  expect(addFlowAsk(deny, 'why')).toBe(deny)
})
