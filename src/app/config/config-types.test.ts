import type { z } from 'zod'
import { expect, expectTypeOf, test } from 'vitest'
import { defineConfig } from '../../core/define-config.ts'
import type { ConfigInput } from '../../core/typing/config-input.ts'
import type { configSchema } from './config-schema.ts'

type Checked = z.input<typeof configSchema>

test('the configuration that editors explain is the one that is checked', () => {
  expectTypeOf<keyof ConfigInput>().toEqualTypeOf<keyof Checked>()
  expectTypeOf<ConfigInput>().toExtend<Checked>()
  expectTypeOf<Checked>().toExtend<ConfigInput>()
  const config = { tools: ['./tools'] }
  expect(defineConfig(config)).toBe(config)
})
