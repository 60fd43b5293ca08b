import { ToolError } from '../../core/kernel/errors.ts'
import type { SharedRequirement } from './merge-requirements.ts'

/** Shorter values occur in output by chance, and redacting them would garble it. */
export const minSensitiveLength = 8

/** Throws `invalid_input` for a value that no tool could use, or that could not be kept secret. */
export function checkSecretValue(
  name: string,
  value: string,
  requirement: SharedRequirement | undefined,
): void {
  if (value === '') {
    throw new ToolError('invalid_input', `The value of ${name} is empty`, {
      fix: 'An empty secret counts as missing. Give it a value, or delete the secret.',
    })
  }
  if (value.includes('\0')) {
    throw new ToolError('invalid_input', `The value of ${name} contains a NUL character`, {
      fix: 'Pass text. Encode binary files as base64.',
    })
  }
  if (requirement !== undefined) checkChoice(value, requirement)
  const isSensitive = requirement?.sensitive ?? true
  if (!isSensitive || value.length >= minSensitiveLength) return
  throw new ToolError(
    'invalid_input',
    `A secret has at least ${minSensitiveLength} characters; this one cannot be redacted from output`,
    {
      fix: 'Use a longer one. If it is a setting rather than a secret, declare it in its tool: { key, sensitive: false }.',
    },
  )
}

function checkChoice(value: string, { name, type, choices }: SharedRequirement): void {
  if (type !== 'select' || choices.includes(value)) return
  throw new ToolError('invalid_input', `${name} has to be one of its choices`, {
    fix:
      choices.length > 0 ? `Choose ${choices.join(', ')}.` : 'Its tools have no choice in common.',
  })
}
