import { expect, test } from 'vitest'
import { toReviewText } from './review-text.ts'

test('texts of several lines are lines, and nothing is invisible', () => {
  const document = {
    name: 'a\u200bb',
    spec: { source: 'const a = 1\n\treturn a\u202e', steps: [], more: {} },
    'k\u0000': [1, null, 'x'],
  }
  expect(toReviewText(document)).toBe(
    [
      '{',
      String.raw`  "name": "a\u{200b}b",`,
      '  "spec": {',
      '    "source": |',
      '      const a = 1',
      '      \treturn a' + String.raw`\u{202e},`,
      '    "steps": [],',
      '    "more": {}',
      '  },',
      String.raw`  "k\u0000": [`,
      '    1,',
      '    null,',
      '    "x"',
      '  ]',
      '}',
      '',
    ].join('\n'),
  )
})
