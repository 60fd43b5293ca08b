import type { ReactNode, Ref } from 'react'

/** Named, and no landmark: a page may show many outputs, each with a part of the same name. */
export const group = { role: 'group' } as const

interface ScrollBoxProps {
  label: string
  className: string | undefined
  dir?: 'auto'
  boxRef?: Ref<HTMLDivElement> | undefined
  children: ReactNode
}

/** A scrolling region, which the keyboard must reach. */
export function ScrollBox({ label, className, dir, boxRef, children }: ScrollBoxProps) {
  return (
    <div {...group} ref={boxRef} className={className} tabIndex={0} aria-label={label} dir={dir}>
      {children}
    </div>
  )
}
