/**
 * `timeout: It took too long`. A message that begins with its code is enough on its own: `Cancelled
 * by ada`.
 */
export function errorWords(code: string, message: string, separator = ': '): string {
  const isSaid = message.toLowerCase().startsWith(code)
  return isSaid ? message : [code, message].filter((word) => word !== '').join(separator)
}
