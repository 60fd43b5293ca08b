import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useId } from 'react'
import type { ReactNode } from 'react'
import styles from './page.module.css'

interface PageProps {
  title: string
  /** Beside the title, such as tags. */
  badges?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A screen: its title in the tab too, what it is for, what can be done, and the rest. */
export function Page({ title, badges, description, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Toolcrib`)
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.titles}>
          <div className={styles.title}>
            <Title order={1} dir="auto">
              {title}
            </Title>
            {badges}
          </div>
          {description !== undefined && <p className={styles.description}>{description}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}

interface PanelProps {
  title?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** Lists and tables reach to the edge. */
  isFlush?: boolean
  children: ReactNode
  className?: string
}

/** A part of a screen with a hairline around it. */
export function Panel({
  title,
  description,
  actions,
  isFlush = false,
  children,
  className,
}: PanelProps) {
  const id = useId()
  const isNamed = title !== undefined
  return (
    <section
      className={[styles.panel, className].filter(Boolean).join(' ')}
      data-flush={isFlush || undefined}
      aria-labelledby={isNamed ? id : undefined}
    >
      {(isNamed || actions !== undefined) && (
        <div className={styles.panelHead}>
          <div>
            {isNamed && (
              <Title order={2} id={id}>
                {title}
              </Title>
            )}
            {description !== undefined && <p>{description}</p>}
          </div>
          {actions}
        </div>
      )}
      <div className={styles.panelBody}>{children}</div>
    </section>
  )
}
