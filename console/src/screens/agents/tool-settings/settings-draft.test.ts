import { expect, test } from 'vitest'
import { inherited, toSettingsDraft, withSettings } from './settings-draft.ts'

const tool = { name: 'file.read', aliases: ['file.open'] }

test('inherited values are not stored, and settings of other tools are kept', () => {
  const other = { enabled: false }
  expect(withSettings({ 'file.read': { timeoutMs: 5 }, other }, tool, inherited)).toEqual({ other })
  expect(withSettings({ other }, tool, { ...inherited, timeout: 0.5, options: {} })).toEqual({
    other,
    'file.read': { timeoutMs: 500, options: {} },
  })
})

test('settings are read back as they were written', () => {
  const draft = {
    enabled: 'off',
    approval: 'always',
    execution: 'background',
    timeout: 1.5,
    options: { voice: 'calm', deep: [{ a: null }] },
  } as const
  const written = withSettings({}, tool, structuredClone(draft) as never)
  expect(toSettingsDraft(written, tool)).toEqual(draft)
})

test('a strict setting under an older name is shown and can be removed', () => {
  const settings = { 'file.open': { enabled: false, timeoutMs: 7 } }
  const draft = toSettingsDraft(settings, tool)
  expect(draft).toEqual({ ...inherited, enabled: 'off' })
  expect(withSettings(settings, tool, { ...draft, enabled: '' })).toEqual({})
})
