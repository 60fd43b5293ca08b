import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { useForm, useFormState } from '../form-context.ts'
import type { GroupSpec } from '../model/form-spec.ts'
import { childPointer, isWithin } from '../model/pointer.ts'
import styles from '../form.module.css'

interface GroupProps {
  group: GroupSpec
  pointer: string
  children: ReactNode
}

/** Fields under one heading. One that is closed opens when something in it is wrong. */
export function Group({ group, pointer, children }: GroupProps) {
  const { store } = useForm()
  const id = useId()
  const [isOpen, setOpen] = useState(!group.isCollapsed)
  const isWrong = useFormState(store, ({ issues }) =>
    issues.some((issue) =>
      group.fields.some((name) => isWithin(issue.pointer, childPointer(pointer, name))),
    ),
  )
  const isShown = isOpen || isWrong
  const Icon = isShown ? IconChevronDown : IconChevronRight
  return (
    <section className={styles.group} aria-labelledby={id}>
      {group.isCollapsed ? (
        <UnstyledButton
          id={id}
          className={styles.groupToggle}
          aria-expanded={isShown}
          onClick={() => setOpen(!isShown)}
        >
          <Icon size={16} stroke={1.6} aria-hidden="true" />
          <span dir="auto">{group.label}</span>
        </UnstyledButton>
      ) : (
        <h3 id={id} className={styles.groupTitle} dir="auto">
          {group.label}
        </h3>
      )}
      {group.description !== undefined && isShown && (
        <p className={styles.help} dir="auto">
          {group.description}
        </p>
      )}
      {isShown && <div className={styles.fields}>{children}</div>}
    </section>
  )
}
