import type { ReactNode } from 'react'

/** A term with its value, in a list of facts that wraps. */
export function FactPair({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}
