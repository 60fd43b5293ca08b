/** A colour transition would be measured halfway. */
export function Still() {
  return <style>{'* { transition: none !important; animation: none !important }'}</style>
}
