/** What fades from one colour to another would be measured half way. */
export function Still() {
  return <style>{'* { transition: none !important; animation: none !important }'}</style>
}
