/**
 * About how many tokens a text is: four letters of most languages with letters, two of others. Too
 * many rather than too few, because a request that does not fit fails.
 */
export function estimateTokens(text: string): number {
  let dense = 0
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x2e7f) dense += 1
  }
  return Math.ceil((text.length - dense) / 3.5 + dense / 1.2)
}

/** The same for a value that goes to the model as JSON. Files count by their place, not their bytes. */
export function estimateValue(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? '')
}
